// Whether reads of an account may lack news that its venue has reported. They may lack news from the start, after a lost stream, and after
// news that could not be recorded. A later reading that succeeds ends this state.

import { beforeEach, describe, expect, it } from 'vitest';
import { Executions } from '../../../src/orders/life/executions.ts';
import { MissedNews } from '../../../src/orders/life/missed-news.ts';
import type { PrivateEvent } from '../../../src/venues/venue.ts';
import { ACTOR, RESTS, Rig } from './orders-rig.ts';

const DOWN = { type: 'down', message: 'closed by the venue' } as const;

let rig: Rig;
let executions: Executions;
let said: boolean[];
beforeEach(async () => {
  rig = new Rig();
  said = [];
  const { ledger, timers, account, venue } = rig;
  executions = new Executions({
    ...{ ledger, timers, storeFailed: () => {}, actorOfTag: () => null, actorsOf: () => [ACTOR] },
    announce: (_, news) => {
      if (news.type === 'behind') said.push(news.isBehind);
    },
    accounts: [{ account, trading: venue }],
  });
  await rig.submit(RESTS);
  rig.venue.open = [rig.venueOrder()];
});

const isBehind = (): boolean => executions.isBehind(rig.account);
const hear = (event: PrivateEvent): void => executions.handle(rig.account, event);

async function up(): Promise<void> {
  hear({ type: 'up' });
  await rig.pass(10, 5);
}

async function read(): Promise<void> {
  await rig.pass(1_000);
  await Promise.all([executions.sweep(), rig.pass(10, 5)]);
}

describe('an account', () => {
  it('is behind until its stream is up and it was read', async () => {
    expect(isBehind()).toBe(true);
    await read();
    expect([isBehind(), executions.isRead(rig.account)]).toEqual([true, true]);
    await up();
    expect([isBehind(), said]).toEqual([false, [false]]);
  });

  it('is behind while its stream is down, and until it is read after that', async () => {
    await up();
    hear(DOWN);
    expect(isBehind()).toBe(true);
    await read();
    expect(isBehind()).toBe(true);
    await up();
    expect([isBehind(), said]).toEqual([false, [false, true, false]]);
  });

  it('is behind from news that cannot be recorded until it is read', async () => {
    await up();
    rig.store.isFull = true;
    hear({ type: 'fill', fill: rig.fill('f-1', 4) });
    expect([isBehind(), rig.position()]).toEqual([true, 0]);
    await read();
    expect(isBehind()).toBe(true);
    rig.store.isFull = false;
    rig.venue.fills = [rig.fill('f-1', 4)];
    for (let round = 0; round < 5; round += 1) await read();
    expect([isBehind(), rig.position() > 0]).toEqual([false, true]);
  });

  it('that is not there is never behind', () => {
    expect(executions.isBehind({ ...rig.account, venue: 'venue_a' })).toBe(false);
  });
});

it('a reading does not read what is missed while it runs', () => {
  const changes: boolean[] = [];
  const missed = new MissedNews(isBehindNow => changes.push(isBehindNow));
  missed.noteUp();
  const before = missed.count;
  missed.noteMissed();
  missed.noteRead(before);
  expect([missed.isBehind, changes]).toEqual([true, []]);
  missed.noteRead(missed.count);
  expect([missed.isBehind, changes]).toEqual([false, [false]]);
});

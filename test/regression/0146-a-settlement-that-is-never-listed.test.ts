// Found by review: the stream had reported a settlement, and the list did not show it. Meanwhile each reading, every five minutes, read the
// list from the reading before that settlement, more each time. If it was never listed, this went on for ever and silently. The mark also
// stayed if each settlement came late, but not all at once, and before an unreadable row.

import { expect, it } from 'vitest';
import { limits } from '../../src/limits.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { PrivateEvent } from '../../src/venues/venue.ts';
import { VenueBSettlements } from '../../src/venues/venue-b/trading/settlements.ts';
import { Rig } from '../orders/orders-rig.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { scriptedRest } from '../venues/venue-b/trading/scripted-rest.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;

/** An account that holds what has not been reported as paid. */
class Account {
  readonly timers = new VirtualTimers();
  readonly reported: PrivateEvent[] = [];
  readonly settlements: VenueBSettlements;
  rows: object[] = [];
  /** How far back the last reading went. */
  backMs = 0;

  constructor() {
    const { timers, reported } = this;
    const rest = scriptedRest(target => {
      this.backMs = timers.now() - Number(new URL(target, 'http://venue').searchParams.get('min_ts')) * SECOND_MS;
      return { settlements: this.rows, cursor: '' };
    }, timers);
    const isHeld = (address: string) => !reported.some(it => it.type === 'settled' && it.address === address);
    this.settlements = new VenueBSettlements({ rest, timers, log: silentLog, isHeld, tell: it => reported.push(it) });
    this.settlements.readSoon();
  }

  hear(ticker: string): void {
    this.settlements.heard({ event_type: 'settled', market_ticker: ticker });
  }

  list(ticker: string): void {
    const settled_time = new Date(this.timers.now()).toISOString();
    this.rows = [{ ticker, market_result: 'yes', value: 100, settled_time }];
  }

  async pass(ms: number): Promise<void> {
    const stepMs = limits.venueBSettlementsReadMs;
    for (let passed = 0; passed < ms; passed += stepMs) await this.timers.settle(stepMs);
  }
}

const USUAL_MS = limits.venueBSettlementsOverlapMs + 2 * limits.venueBSettlementsReadMs;

it('the settlement is given up, which is logged once, and the list goes on', async () => {
  const account = new Account();
  await account.pass(HOUR_MS);
  account.hear('KXA');
  await account.pass(limits.venueBSettlementsAwaitedMs - HOUR_MS);
  expect(account.reported).toEqual([]);
  await account.pass(2 * HOUR_MS);
  expect(account.reported).toEqual([{ type: 'unlisted', address: 'KXA' }]);
  await account.pass(limits.venueBSettlementsAwaitedMs);
  expect([account.reported.length, account.backMs <= USUAL_MS]).toEqual([1, true]);
  account.settlements.stop();
});

it('the settlement is given up by the time that has passed, at any state of the clock', async () => {
  const account = new Account();
  account.hear('KXA');
  await account.pass(HOUR_MS);
  account.timers.setClock(2 * limits.venueBSettlementsAwaitedMs);
  await account.pass(HOUR_MS);
  expect(account.reported).toEqual([]);
  account.settlements.stop();
});

it('the settlement does not keep the others, each of which comes late: the list goes on with them', async () => {
  const account = new Account();
  account.hear('KX0');
  for (let hour = 1; hour <= 24; hour += 1) {
    account.hear(`KX${hour}`);
    await account.pass(HOUR_MS);
    account.list(`KX${hour - 1}`);
    await account.pass(HOUR_MS);
  }
  expect(new Set(account.reported.map(it => 'address' in it && it.address)).size).toBe(24);
  expect(account.backMs <= USUAL_MS + 2 * HOUR_MS).toBe(true);
  account.settlements.stop();
});

it('an unreadable row keeps the list only a day further back than at the start', async () => {
  const account = new Account();
  account.rows = [{ ticker: 'KXA', market_result: 'maybe' }];
  await account.pass(HOUR_MS);
  expect(account.backMs >= limits.venueBSettlementsLookBackMs).toBe(true);
  await account.pass(2 * limits.venueBSettlementsAwaitedMs);
  const farthestMs = limits.venueBSettlementsLookBackMs + limits.venueBSettlementsAwaitedMs;
  expect(account.backMs <= farthestMs + SECOND_MS).toBe(true);
  account.settlements.stop();
});

it('the settlement is counted', () => {
  const rig = new Rig();
  rig.hear({ type: 'unlisted', address: 'KXA' });
  expect(rig.divergences).toEqual(['settlement-unlisted']);
});

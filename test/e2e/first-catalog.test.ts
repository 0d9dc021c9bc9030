// Lists of the catalog in the first seconds of a gateway that has no stored catalog. A caller waits for the first catalog and finds both venues'
// markets in it. If no catalog comes, the answer says so. No answer says that there are no markets before this is known.

import { afterEach, describe, expect, it } from 'vitest';
import type { CatalogMarketPage, EventPage } from '../../src/core/generated/api-types.ts';
import { limits } from '../../src/limits.ts';
import { answerProblems } from '../support/contract-schema.ts';
import { eventually } from '../support/eventually.ts';
import { type RunningGateway, type RunningGatewayOptions, startRunningGateway } from '../support/running-gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { type Answer, sendSigned, type TestKey } from '../support/signed-requests.ts';

let gateway: RunningGateway;
afterEach(() => gateway.close());

async function start(readsCatalog: NonNullable<RunningGatewayOptions['readsCatalog']>): Promise<void> {
  gateway = await startRunningGateway({ source: { kind: 'paper', hasAccounts: false }, readsCatalog });
}

function read(target: string, key: TestKey = gateway.key): Promise<Answer> {
  return sendSigned(gateway.httpUrl + target, key);
}

const LISTS = [
  ['listMarkets', '/v1/markets'],
  ['listMarkets', '/v1/markets?eventId=nba-bos-lal-2026-11-20'],
  ['listEvents', '/v1/sports/events'],
  ['listEventMarkets', '/v1/sports/events/nba-bos-lal-2026-11-20/markets'],
] as const;
const UNREAD = /read for the first time: ask again/;

async function allAreIn(answers: readonly unknown[]): Promise<void> {
  await eventually(async () => {
    const page = await fetch(`${gateway.httpUrl}/metrics`);
    expect(await page.text()).toContain(`\ncrossbook_http_requests_in_flight ${answers.length}\n`);
  });
}

async function expectRefused(answers: readonly Promise<Answer>[], words: RegExp): Promise<void> {
  for (const [place, answer] of (await Promise.all(answers)).entries()) {
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(answer.json).toMatchObject({ error: { code: 'INTERNAL_ERROR', message: expect.stringMatching(words) } });
    expect(answerProblems(LISTS[place]![0], answer.status, answer.headers, answer.json)).toEqual([]);
  }
}

const isReady = async () => expect((await fetch(`${gateway.httpUrl}/readyz`)).status).toBe(200);

describe('the first lists of all', () => {
  it('4027: have what both venues list, and end the wait for readiness', async () => {
    await start(true);
    const [ofA, ofB, events, none] = await Promise.all([
      read('/v1/markets?venue=venue_a&pageSize=1'),
      read('/v1/markets?venue=venue_b&pageSize=1'),
      read('/v1/sports/events?pageSize=1'),
      read('/v1/sports/events/no-such-event/markets'),
    ]);
    expect((ofA.json as CatalogMarketPage).markets).toHaveLength(1);
    expect((ofB.json as CatalogMarketPage).markets).toHaveLength(1);
    expect((events.json as EventPage).events).toHaveLength(1);
    expect(none.status).toBe(404);
    await eventually(isReady);
    expect([gateway.catalog.isPassed, gateway.catalog.isWhole]).toEqual([true, true]);
  });

  it('are empty at once where nothing is ever read', async () => {
    gateway = await sharedGateway('synthetic');
    expect(gateway.catalog.isAwaited).toBe(false);
    expect((await read('/v1/markets')).json).toEqual({ markets: [], nextPageToken: null });
  });

  it('4027: wait, not more than firstCatalogWaitingMax of them, and say in time that nothing has been read', async () => {
    await start('unreachable');
    const wrong = { ...gateway.key, seedHex: 'ab'.repeat(32) };
    expect((await read('/v1/markets', wrong)).status).toBe(401);
    const early = LISTS.map(([, target]) => read(target));
    await allAreIn(early);
    for (let waiting = early.length; waiting < limits.firstCatalogWaitingMax; waiting++)
      void gateway.catalog.whenKnown();
    await expectRefused(
      LISTS.map(([, target]) => read(target)),
      /firstCatalogWaitingMax/,
    );
    expect(gateway.catalog.isAwaited).toBe(true);
    gateway.catalog.endWait();
    await expectRefused(early, UNREAD);
    const late = LISTS.map(([, target]) => read(target));
    await expectRefused(late, UNREAD);
    expect((await read('/v1/markets', wrong)).status).toBe(401);
    await eventually(isReady);
    expect([gateway.catalog.isPassed, gateway.catalog.isWhole]).toEqual([true, false]);
  });

  it('are refused when the gateway ends meanwhile', async () => {
    await start('unreachable');
    const answers = LISTS.map(([, target]) => read(target));
    await allAreIn(answers);
    await gateway.close();
    await expectRefused(answers, /shutting down/);
  });
});

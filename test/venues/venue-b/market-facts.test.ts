// The facts of a market: the reading of REST bodies, the meaning of absent fields, and the number of markets in a request.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/core/domain/json.ts';
import type { HttpAnswer } from '../../../src/core/net/http.ts';
import { limits } from '../../../src/limits.ts';
import { timeOf } from '../../../src/venues/discovery-fields.ts';
import type { VenueBSign } from '../../../src/venues/venue-b/auth.ts';
import { MarketFactsReader, marketFactsIn, marketListIn } from '../../../src/venues/venue-b/market-facts.ts';
import { unwrap } from '../../../src/venues/venue-e/market-document.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const RANGES = [{ start: '0.0000', end: '1.0000', step: '0.0100' }];
const described = (market: object): object => ({ market: { ticker: 'KXA', price_ranges: RANGES, ...market } });
const body = (market: object): string => JSON.stringify(described(market));

describe('marketFactsIn', () => {
  it('reads grid, status and closing time', () => {
    expect(marketFactsIn(described({ status: 'active', close_time: '2026-09-21T23:30:00Z', novel: [1] }))).toEqual({
      ticker: 'KXA',
      grid: [{ start: 0, end: 10_000, step: 100 }],
      step: 100,
      phase: 'OPEN',
      closeTime: Date.UTC(2026, 8, 21, 23, 30),
      lastTrade: null,
    });
  });

  it.each([
    ['0.9500', 9_500],
    ['0.0000', null],
    ['', null],
    [undefined, null],
  ])('takes last_price_dollars %s for a last trade at %s', (last_price_dollars, ticks) => {
    expect(marketFactsIn(described({ last_price_dollars }))?.lastTrade).toBe(ticks);
  });

  it('finds the ladder of a banded grid', () => {
    const price_ranges = [
      { start: '0.0000', end: '0.0100', step: '0.0001' },
      { start: '0.0100', end: '0.9900', step: '0.0010' },
      { start: '0.9900', end: '1.0000', step: '0.0001' },
    ];
    expect(marketFactsIn(described({ price_ranges }))).toMatchObject({ step: 1, grid: { length: 3 } });
  });

  it.each([
    ['initialized', 'OPEN'],
    ['active', 'OPEN'],
    ['inactive', 'PAUSED'],
    ['closed', 'CLOSED'],
    ['determined', 'RESOLVED'],
    ['disputed', 'RESOLVED'],
    ['amended', 'RESOLVED'],
    ['finalized', 'RESOLVED'],
    ['a word of the future', 'OPEN'],
    [undefined, 'OPEN'],
  ])('takes status %s for %s', (status, phase) => {
    expect(marketFactsIn(described({ status }))?.phase).toBe(phase);
  });

  it('does without a closing time', () => {
    const times = [{}, { close_time: 'soon' }].map(market => marketFactsIn(described(market))?.closeTime);
    expect(times).toEqual([0, 0]);
  });

  it.each([
    ...['', 'null', '[]', '{}', '{"market":[]}'],
    ...[{ ticker: 1 }, { price_ranges: [] }, { price_ranges: [{ start: 0, end: 1, step: 0.01 }] }].map(body),
    body({ price_ranges: [{ ...RANGES[0], step: '0.00001' }] }),
  ])('makes nothing of %s', text => {
    expect(marketFactsIn(parseJson(text))).toBeNull();
  });

  it.skipIf(!recordingsPresent)('reads recorded markets (needs CROSSBOOK_DATA)', () => {
    const text = readFileSync(recordingPath('venue-b/kalshi-fortuna/fixtures/kalshi/markets__single.json'), 'utf8');
    expect(marketFactsIn(parseJson(text))).toMatchObject({
      ticker: 'KXWTACHALLENGERMATCH-26JUN11JIMLEP-LEP',
      step: 100,
      phase: 'OPEN',
      closeTime: Date.UTC(2026, 5, 25, 16),
    });
  });
});

describe('marketListIn', () => {
  it('leaves out what it cannot use', () => {
    const markets = [{ ticker: 'KXA', price_ranges: RANGES, status: 'closed' }, { ticker: 'KXB' }, null];
    expect(marketListIn({ cursor: '', markets })).toMatchObject([{ ticker: 'KXA', phase: 'CLOSED' }]);
    expect(marketListIn({ cursor: '', markets: [] })).toEqual([]);
  });

  it.each(['', 'null', '{}', '{"markets":{}}', body({})])('makes nothing of %s', text => {
    expect(marketListIn(parseJson(text))).toBeNull();
  });

  it.skipIf(!recordingsPresent)('reads a recorded list (needs CROSSBOOK_DATA)', () => {
    const text = readFileSync(recordingPath('venue-b/kalshi-fortuna/fixtures/kalshi/markets__page1.json'), 'utf8');
    expect(marketListIn(parseJson(text))).toHaveLength(JSON.parse(text).markets.length);
  });
});

describe('MarketFactsReader', () => {
  function reader(get: (url: string, headers: Readonly<Record<string, string>>) => Promise<HttpAnswer>) {
    const timers = new VirtualTimers();
    const sign: VenueBSign = (method, url, timestampMs) => ({ signed: `${method} ${url} ${timestampMs}` });
    return { timers, facts: new MarketFactsReader({ restUrl: 'http://venue.test/v2', sign, get, timers }) };
  }

  it('signs what it asks', async () => {
    const { facts, timers } = reader(async (url, headers) => {
      expect([url, headers]).toEqual([
        'http://venue.test/v2/markets/KXA',
        { signed: `GET http://venue.test/v2/markets/KXA ${timers.now()}` },
      ]);
      return { status: 200, body: body({}) };
    });
    expect(await facts.read('KXA')).toMatchObject({ ok: true, value: { ticker: 'KXA' } });
    expect(timers.pending).toBe(0);
  });

  it.each([
    ...[401, 429, 500].map(status => [status, '<html>', 'VENUE_UNAVAILABLE'] as const),
    ...['{}', '{"market":{"ticker":"KXA"}}', '<html>'].map(text => [200, text, 'VENUE_UNAVAILABLE'] as const),
    [200, body({ ticker: 'KXB' }), 'UNKNOWN_MARKET'],
    [404, '<html>', 'UNKNOWN_MARKET'],
  ] as const)('takes HTTP %i with %s for %s', async (status, text, code) => {
    const { facts } = reader(async () => ({ status, body: text }));
    expect(await facts.read('KXA')).toMatchObject({ ok: false, error: { code } });
  });

  it('asks for many markets at once, of any status', async () => {
    const asked: string[] = [];
    const { facts } = reader(async url => {
      asked.push(url);
      return { status: 200, body: JSON.stringify({ markets: [{ ticker: 'KXB', price_ranges: RANGES }] }) };
    });
    expect(await facts.readRows(['KXA', 'KXB'])).toMatchObject({ ok: true, value: { facts: [{ ticker: 'KXB' }] } });
    expect(asked).toEqual(['http://venue.test/v2/markets?tickers=KXA,KXB&limit=2']);
  });

  it.each([
    [200, '{"markets":'],
    [404, '{"error":{"code":"not_found"}}'],
    [429, '<html>'],
  ])('takes HTTP %i with %s for no list', async (status, text) => {
    const { facts } = reader(async () => ({ status, body: text }));
    expect(await facts.readRows(['KXA'])).toMatchObject({ ok: false, error: { code: 'VENUE_UNAVAILABLE' } });
  });

  it('takes a network failure for unavailability', async () => {
    const { facts } = reader(() => Promise.reject(new Error('connect ECONNREFUSED')));
    const message = expect.stringContaining('ECONNREFUSED');
    expect(await facts.read('KXA')).toMatchObject({ ok: false, error: { code: 'VENUE_UNAVAILABLE', message } });
  });

  it('asks for a bounded number at a time, and for the rest as answers come', async () => {
    const open: ((answer: HttpAnswer) => void)[] = [];
    const { facts, timers } = reader(() => new Promise(resolve => open.push(resolve)));
    const answers = Array.from({ length: limits.venueBFactsInFlightMax + 2 }, () => facts.read('KXA'));
    await timers.settle();
    expect(open).toHaveLength(limits.venueBFactsInFlightMax);
    open[0]?.({ status: 200, body: body({}) });
    await timers.settle();
    expect(open).toHaveLength(limits.venueBFactsInFlightMax + 1);
    for (const resolve of open) resolve({ status: 200, body: body({}) });
    await timers.settle();
    open.at(-1)?.({ status: 200, body: body({}) });
    expect((await Promise.all(answers)).every(({ ok }) => ok)).toBe(true);
  });

  it('gives up after the time that a client may wait, also for those that were never asked', async () => {
    let asked = 0;
    const { facts, timers } = reader(() => {
      asked += 1;
      return new Promise(() => {});
    });
    const answers = Array.from({ length: limits.venueBFactsInFlightMax + 1 }, () => facts.read('KXA'));
    await timers.settle();
    timers.advance(limits.subscribeAnswerMs);
    const codes = (await Promise.all(answers)).map(answer => (answer.ok ? '' : answer.error.code));
    expect(codes).toEqual(answers.map(() => 'VENUE_UNAVAILABLE'));
    expect(asked).toBe(limits.venueBFactsInFlightMax);
  });

  it('that it gave up before their turn take nobody else’s', async () => {
    const open: ((answer: HttpAnswer) => void)[] = [];
    const { facts, timers } = reader(() => new Promise(resolve => open.push(resolve)));
    const givenUp = Array.from({ length: 2 * limits.venueBFactsInFlightMax }, () => facts.read('KXA'));
    await timers.settle();
    timers.advance(limits.subscribeAnswerMs);
    await Promise.all(givenUp);
    for (const resolve of open) resolve({ status: 200, body: body({}) });
    await timers.settle();
    for (let index = 0; index < limits.venueBFactsInFlightMax; index += 1) void facts.read('KXA');
    await timers.settle();
    expect(open).toHaveLength(2 * limits.venueBFactsInFlightMax);
  });
});

// Date.parse accepts nearly any text. A market with the closing time "5" had closed in May 2001, and the catalog had a market of the year
// 10000. An error number of venue E that was an object ended the reading thread.
describe('0006: times of less than a time', () => {
  it.each(['5', '10000', 'May 1', '2026', '2026-11', '+020000-01-01T00:00:00Z', '1969-12-31T00:00:00Z'])(
    '%s is no time of a market',
    text => {
      expect(timeOf(text)).toBeNull();
      expect(marketFactsIn(described({ close_time: text }))).toMatchObject({ phase: 'OPEN', closeTime: 0 });
    },
  );

  it.each(['2026-10-08 02:00:00+00', '2026-10-08T02:00:00Z', '2026-10-08T02:00:00.000000+00:00'])(
    '%s is a time',
    text => {
      expect(timeOf(text)).toBe(Date.UTC(2026, 9, 8, 2));
    },
  );

  it.each(['{"toString":1}', `${'['.repeat(50_000)}${']'.repeat(50_000)}`])(
    'an error number may be anything',
    errno => {
      const body = JSON.parse(`{"errno":${errno},"errmsg":"no"}`);
      expect(unwrap({ type: 'json', status: 200, body })).toEqual({ type: 'odd', words: 'HTTP 200, errno none: no' });
    },
  );
});

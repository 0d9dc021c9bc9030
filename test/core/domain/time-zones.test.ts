// Times without a zone, on machines in other zones.

import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTime } from '../../../src/catalog/catalog-lists.ts';
import { isoMillisOf } from '../../../src/core/domain/iso-time.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import { timeOf } from '../../../src/venues/discovery-fields.ts';
import { readMarketDocument } from '../../../src/venues/venue-a/market-document.ts';
import { timeOf as timeOfVenueA } from '../../../src/venues/venue-a/trading/wire-numbers.ts';
import { timeOf as timeOfVenueB } from '../../../src/venues/venue-b/trading/amounts.ts';
import { isoTimeOf } from '../../../src/venues/wire-values.ts';
import { OwnProcess } from '../../support/child-process.ts';

// Found on the running product. A time without a zone was read in the machine's zone. With TZ=Asia/Tokyo none of 686 pairs was found, and
// games got wrong ids. The 30th of February was read as the 2nd of March. Here the readers of times run in other zones.
describe('3010: times without a zone', () => {
  const SUITES = [
    'test/catalog/listed-events.test.ts',
    'test/catalog/matching/hard-cases.test.ts',
    'test/catalog/matching/recorded-pairs.test.ts',
    'test/catalog/times-without-zone.test.ts',
    'test/core/domain/iso-time.test.ts',
    'test/paper/catalog/eastern-time.test.ts',
    'test/venues/venue-b/market-facts.test.ts',
    'test/venues/venue-a/feed-clock.test.ts',
    'test/catalog/catalog-lists.test.ts',
    'test/venues/venue-a/market-read.test.ts',
    'test/venues/venue-b/trading/reported-rows.test.ts',
    'test/core/wire/json.test.ts',
  ];

  describe.each(['Asia/Tokyo', 'America/New_York'])('in the zone %s', TZ => {
    it('every reader of times reads the same', async () => {
      const runner = resolve('node_modules/vitest/vitest.mjs');
      const data = process.env.CROSSBOOK_DATA;
      const environment = { TZ, NO_COLOR: '1', ...(data === undefined ? {} : { CROSSBOOK_DATA: data }) };
      const run = new OwnProcess([runner, 'run', '--maxWorkers=1', ...SUITES], environment);
      const code = await run.ended;
      expect([code, filesRun(run.stdout)], run.stdout + run.stderr).toEqual([0, SUITES.length]);
    });
  });

  /**
   * Returns the number of files that the summary counts. A file whose tests are all skipped counts. Without recordings there is such a
   * file.
   */
  function filesRun(summary: string): number {
    return Number(/Test Files .*\((\d+)\)/.exec(summary)?.[1]);
  }

  it.each([
    ['Test Files  12 passed (12)', 12],
    ['Test Files  11 passed | 1 skipped (12)', 12],
    ['Test Files  1 failed | 10 passed | 1 skipped (12)', 12],
  ])('4034: the files of a run are counted with those that were skipped: %s', (summary, files) => {
    expect(filesRun(` ${summary}\n      Tests  300 passed (300)\n`)).toBe(files);
  });

  const UNZONED = '2026-05-11T23:30:00';
  const AT = Date.UTC(2026, 4, 11, 23, 30);

  describe('every reader', () => {
    const ofDocument = (end_date_iso: string) => {
      const tokens = [
        { token_id: '1', outcome: 'Yes' },
        { token_id: '2', outcome: 'No' },
      ];
      const document = readMarketDocument({ condition_id: '0x1', question: 'q', tokens, end_date_iso });
      return document.type === 'market' ? document.market.expiresAt : document;
    };
    const readers: readonly (readonly [string, (text: string) => unknown])[] = [
      ['of venues', isoTimeOf],
      ['of listings', timeOf],
      ['of venue A’s trades', text => timeOfVenueA(text) || null],
      ['of venue A’s markets', ofDocument],
      ['of venue B', text => timeOfVenueB(undefined, text)],
      ['of messages', text => messageTime(text)],
      ['of all', isoMillisOf],
    ];

    it.each(readers)('%s takes what names no zone for UTC', (_which, read) => {
      expect(read(UNZONED)).toBe(AT);
    });

    it.each(readers)('%s knows no 30th of February', (_which, read) => {
      expect(read('2026-02-30T00:00:00Z')).toBeNull();
    });

    it('of queries need a zone, and a day of the calendar', () => {
      for (const text of [UNZONED, '2026-02-30T00:00:00Z']) expect(readTime('startsAfter', text).ok).toBe(false);
    });
  });

  /** Returns the time of a message. Null means that the message is refused. */
  function messageTime(receivedAt: string): number | null {
    const market = { venue: 'venue_b', ticker: 'KXA' };
    const trade = { type: 'trade', market, epoch: 1, seq: 1, tradeId: 't', takerSide: null, price: '0.5', size: '1' };
    try {
      const read = jsonCodec.decodeServer(Buffer.from(JSON.stringify({ ...trade, venueTime: null, receivedAt })));
      return read.type === 'trade' ? read.receivedAt : null;
    } catch {
      return null;
    }
  }
});

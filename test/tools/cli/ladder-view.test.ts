// The ladder in the terminal shows what the book holds.

import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Level, TAKER_SELL } from '../../../src/core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import type { ServerMessage } from '../../../src/core/wire/messages.ts';
import { deriveNo } from '../../../src/market-data/book/derive-no.ts';
import { callCommand } from '../../../src/tools/cli/call.ts';
import { bookCommand, renderLadder } from '../../../src/tools/cli/watch-book.ts';
import { CallRig } from './call-rig.ts';
import { SNAPSHOT } from './ladder-message.ts';

function level(price: number, size: number): Level {
  return { price: price as Ticks, size: size as MicroShares };
}

const market = { venue: 'venue_b', ticker: 'KXTEST-26NOV21AAABBB-AAA' } as const;
const book = { bids: [level(5_300, 24_370_000), level(5_200, 100_000_000)], asks: [level(5_400, 5_000_000)] };
const trade = {
  type: 'trade',
  market,
  tradeId: 't',
  price: 5_300 as Ticks,
  size: 2_500_000 as MicroShares,
  takerSide: TAKER_SELL,
  venueTime: Date.UTC(2026, 10, 21, 5, 43, 6, 236) as UnixMillis,
  receivedAt: 0 as UnixMillis,
} as const;

describe('the ladder', () => {
  const view = { market, state: 'LIVE', epoch: 7, seq: 42, updatesPerSecond: 12.34, book, no: deriveNo(book) };
  const lines = renderLadder({ ...view, trades: [trade] }).split('\n');

  it('names the market, its state, position and rate', () => {
    expect(lines[0]).toBe('venue_b  KXTEST-26NOV21AAABBB-AAA');
    expect(lines[1]).toBe('LIVE   epoch 7   seq 42   12 updates/s');
  });

  it('tells no rate that is not known yet', () => {
    const [, state] = renderLadder({ ...view, updatesPerSecond: null, trades: [] }).split('\n');
    expect(state).toBe('LIVE   epoch 7   seq 42');
  });

  it('shows the best levels of both sides and the derived NO beside them', () => {
    expect(lines[5]?.trim().split(/\s+/)).toEqual('24.37 0.53 │ 0.54 5 5 0.46 │ 0.47 24.37'.split(' '));
    expect(lines[6]?.trim().split(/\s+/)).toEqual('100 0.52 │ │ 0.48 100'.split(' '));
  });

  it('lists trades with venue time, taker side, price and size', () => {
    expect(lines.at(-2)?.trim().split(/\s+/)).toEqual(['05:43:06.236', 'SELL', '0.53', '2.5']);
  });

  it('shows an empty book as an empty row', () => {
    const empty = { bids: [], asks: [] };
    const text = renderLadder({ ...view, state: 'RESYNCING', book: empty, no: empty, trades: [] });
    expect(text).toContain('RESYNCING');
    expect(text).not.toMatch(/undefined|NaN/);
  });
});

// The warning about lag stayed until the connection was lost.
describe('0241: a ladder that is right again', () => {
  const LAGGED: ServerMessage = { type: 'error', id: null, code: 'LAGGED', message: 'too slowly', rejected: [] };

  let rig: CallRig;
  beforeEach(async () => {
    rig = await CallRig.start();
  });
  afterEach(() => rig.end());

  it('a ladder that is right again is shown without what was wrong before', async () => {
    rig.server.onStream = socket =>
      socket.once('message', () => {
        for (const message of [LAGGED, SNAPSHOT]) socket.send(jsonCodec.encode(message), { binary: false });
      });
    const { code, out } = await rig.run(
      (args, io) => bookCommand(args, io, false),
      ...['venue_b', 'T-1', '--url', rig.server.streamUrl, '--once'],
    );
    expect([code, out.includes('0.53'), out.includes('too slowly')]).toEqual([0, true, false]);
  });
});

// Found by a typing error in the settings: `crossbook call` said `Invalid URL` and nothing else, and `book` blamed `--url`, which nobody
// had given.
it.each([
  ['127.0.0.1', '8080a', 'http://127.0.0.1:8080a'],
  ['127.0.0.1', '80800', 'http://127.0.0.1:80800'],
  ['a host', '8080', 'http://a host:8080'],
])('0210: a bad port is named by its setting: %s, %s', async (host, port, origin) => {
  const rig = await CallRig.start();
  onTestFinished(() => rig.end());
  rig.env = { CROSSBOOK_HOST: host, CROSSBOOK_PORT: port };
  const err = `crossbook: CROSSBOOK_HOST, CROSSBOOK_PORT: ${origin} is not an address\n`;
  expect(await rig.run(callCommand, 'GET', '/v1/time')).toEqual({ code: 2, out: '', err });
  const book = (args: readonly string[], io: Parameters<typeof callCommand>[1]) => bookCommand(args, io, false);
  expect(await rig.run(book, 'venue_b', 'KXNONE')).toEqual({ code: 2, out: '', err });
});

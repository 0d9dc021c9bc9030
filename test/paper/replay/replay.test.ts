// Whole replays over real sockets: real recordings end where their oracles say, every hash verifies, loops start over.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import type { MarketKey } from '../../../src/core/domain/market.ts';
import { createHttpClient } from '../../../src/core/net/http.ts';
import { VenueThread } from '../../../src/core/runtime/venue-thread.ts';
import { PlayedFrames } from '../../../src/paper/replay/played-frames.ts';
import { type ReplayOptions, type ReplayServers, startReplay } from '../../../src/paper/replay/replay.ts';
import type { ReplayWorkerData, ReplayWorkerMessage } from '../../../src/paper/replay/replay-worker.ts';
import { readScript } from '../../../src/paper/replay/script.ts';
import { THREADS } from '../../../src/threads.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { syntheticScript } from '../../support/synthetic/script.ts';
import { type Frame, signedHeaders, TestClient, testKey } from './client.ts';
import { HashFollower } from './venue-a-hash.ts';

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function replay(files: readonly string[], more: Partial<ReplayOptions> = {}): Promise<ReplayServers> {
  const servers = await startReplay({
    script: await readScript(files),
    speed: 1_000,
    loop: false,
    venueBKey: testKey,
    ...more,
  });
  closing.push(servers.close);
  return servers;
}

async function openB(servers: ReplayServers, channels = ['orderbook_delta']): Promise<TestClient> {
  const client = await TestClient.open(servers.venueB.streamUrl, signedHeaders());
  closing.push(() => client.close());
  const tickers = servers.markets.flatMap(market => (market.venue === 'venue_b' ? market.ticker : []));
  client.send({ id: 1, cmd: 'subscribe', params: { channels, market_tickers: tickers } });
  return client;
}

async function openA(servers: ReplayServers, tokens: readonly string[]): Promise<TestClient> {
  const client = await TestClient.open(servers.venueA.streamUrl);
  closing.push(() => client.close());
  client.send({ type: 'market', assets_ids: tokens });
  return client;
}

const tokenOf = (market: MarketKey): string => (market.venue === 'venue_a' ? market.tokenId : '');

/** A hand-written recording in a file of its own. */
async function fileOf(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'replay-'));
  closing.push(() => rm(folder, { recursive: true }));
  const file = join(folder, 'recording.jsonl');
  await writeFile(file, text);
  return file;
}

const SNAPSHOT =
  '{"type":"orderbook_snapshot","sid":4,"seq":1,"msg":{"market_ticker":"KXT-1-A","yes_dollars_fp":[["0.4710","3.00"]],"no_dollars_fp":[["0.5200","1.00"]]}}';
const DELTA =
  '{"type":"orderbook_delta","sid":4,"seq":2,"msg":{"market_ticker":"KXT-1-A","price_dollars":"0.5200","delta_fp":"2.00","side":"no"}}';

/** Folds venue B's frames naively; throws at a gap. */
function foldB(frames: readonly Frame[]): Map<string, Map<string, number>> {
  const books = new Map<string, Map<string, number>>();
  let last = 0;
  for (const { type, seq, msg } of frames as unknown as { type: string; seq?: number; msg: Record<string, never> }[]) {
    if (seq === undefined) continue;
    if (seq !== last + 1) throw new Error(`gap: ${seq} after ${last}`);
    last = seq;
    if (type === 'orderbook_snapshot') {
      const rows = (['yes', 'no'] as const).flatMap(side =>
        (msg[`${side}_dollars_fp`] ?? ([] as [string, string][])).map(([price, size]): [string, number] => [
          `${side} ${price}`,
          Math.round(Number(size) * 100),
        ]),
      );
      books.set(msg.market_ticker!, new Map(rows));
    } else if (type === 'orderbook_delta') {
      const book = books.get(msg.market_ticker!)!;
      const key = `${msg.side} ${msg.price_dollars}`;
      book.set(key, (book.get(key) ?? 0) + Math.round(Number(msg.delta_fp) * 100));
    }
  }
  return books;
}

describe('hand-written recordings', () => {
  it('waits for its first subscriber, plays once, says when it has', async () => {
    const played = new PlayedFrames();
    const servers = await replay([await fileOf(`${SNAPSHOT}\n${DELTA}\n`)], { played });
    expect([played.played, played.expected]).toEqual([0, 1]);
    expect(servers.markets).toEqual([{ venue: 'venue_b', ticker: 'KXT-1-A' }]);
    const client = await openB(servers);
    await servers.finished;
    expect(played.played).toBe(1);
    await client.until(() => client.texts.length === 3);
    expect(client.texts[2]).toBe(`${DELTA.replace('"sid":4', '"sid":1')}\n`);
  });

  it('finds the grid that the prices stand on', async () => {
    const servers = await replay([await fileOf(`${SNAPSHOT}\n`)]);
    const http = createHttpClient(5_000, 1_000_000);
    const { body } = await http.get(`${servers.venueB.restUrl}/markets/KXT-1-A`, {});
    expect(JSON.parse(body).market.price_ranges).toEqual([{ start: '0.0000', end: '1.0000', step: '0.0010' }]);
  });

  it('turns a recording with NO at YES prices into the ordinary form', async () => {
    const file = await fileOf(`${SNAPSHOT}\n${DELTA}\n`);
    await writeFile(file.replace('.jsonl', '.meta.json'), '{"subscribe_cmd":{"params":{"use_yes_price":true}}}');
    const client = await openB(await replay([file]));
    await client.until(() => client.texts.length === 3);
    expect(client.frames().slice(1)).toMatchObject([
      { msg: { yes_dollars_fp: [['0.4710', '3.00']], no_dollars_fp: [['0.4800', '1.00']] } },
      { msg: { side: 'no', price_dollars: '0.4800' } },
    ]);
  });

  it('starts over with a fresh snapshot when it loops', async () => {
    const played = new PlayedFrames();
    const client = await openB(await replay([await fileOf(`${SNAPSHOT}\n${DELTA}\n`)], { loop: true, played }));
    await client.until(() => client.texts.length === 7);
    expect(client.frames().map(({ type, seq }) => [type, seq])).toEqual([
      ['subscribed', undefined],
      ['orderbook_snapshot', 1],
      ['orderbook_delta', 2],
      ['orderbook_snapshot', 3],
      ['orderbook_delta', 4],
      ['orderbook_snapshot', 5],
      ['orderbook_delta', 6],
    ]);
    expect(client.frames()[5]!.msg).toEqual(client.frames()[1]!.msg);
    expect(played.played).toBeLessThanOrEqual(1);
  });

  it('names a market of venue A whose hashes will not verify', async () => {
    const book = { event_type: 'book', market: '0x01', asset_id: '77', hash: '00', bids: [], asks: [] };
    const servers = await replay([await fileOf(JSON.stringify(book))]);
    expect(servers.unconfirmed).toEqual(['0x01']);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses the speed %d', async speed => {
    await expect(replay([], { speed })).rejects.toThrow(RangeError);
  });
});

describe.skipIf(!recordingsPresent)('recordings (absent: set CROSSBOOK_DATA)', () => {
  const COCKPIT = 'venue-b/kalshi-cockpit/tests/fixtures/ws_orderbook_stream.json';
  const BTC = 'venue-a/recorded-btc-2026-08/btc_updown_5m_20260816T0158Z_ws_market';

  it('venue B: books end as the oracle says', async () => {
    const servers = await replay([recordingPath(COCKPIT)]);
    const client = await openB(servers);
    await servers.finished;
    await client.until(() => client.ofType('orderbook_delta').length === 245);
    const books = foldB(client.frames());
    const oracle = recordingPath('venue-b/kalshi-cockpit/ws_orderbook_stream.expected_final.json');
    const expected = JSON.parse(await readFile(oracle, 'utf8')).books;
    expect([...books.keys()].sort()).toEqual(Object.keys(expected).sort());
    for (const [ticker, book] of books) {
      const side = (name: string): [string, number][] =>
        [...book]
          .filter(([key, size]) => key.startsWith(name) && size > 0)
          .map(([key, size]) => [key.slice(4).trim(), size]);
      const total = (rows: [string, number][]): string =>
        (rows.reduce((sum, [, size]) => sum + size, 0) / 100).toFixed(2);
      expect([ticker, side('yes ').length, side('no  '.slice(0, 3)).length]).toEqual([
        ticker,
        expected[ticker].yes_levels,
        expected[ticker].no_levels,
      ]);
      expect([total(side('yes ')), total(side('no '))]).toEqual([
        expected[ticker].yes_total,
        expected[ticker].no_total,
      ]);
    }
  });

  it.each(['.jsonl', '.raw.jsonl'])('venue A: every hash of %s verifies', async extension => {
    const servers = await replay([recordingPath(BTC + extension)], { startAfterMarkets: 2 });
    expect(servers.unconfirmed).toEqual([]);
    // The excerpt also has two changes of a third market, whose book was left out.
    expect(servers.recordings).toEqual([expect.stringContaining('2 a change before the first book of its market')]);
    expect(servers.markets).toHaveLength(2);
    const http = createHttpClient(5_000, 1_000_000);
    const tokens: string[] = [];
    for (const token of servers.markets.map(tokenOf)) {
      const { body } = await http.get(`${servers.venueA.restUrl}/markets-by-token/${token}`, {});
      const { primary_token_id, secondary_token_id } = JSON.parse(body);
      expect(primary_token_id).toBe(token);
      tokens.push(primary_token_id, secondary_token_id);
    }
    expect(tokens).toHaveLength(4);
    const client = await openA(servers, tokens);
    // One dump of four books, 73 price changes, the book of a trade, the trade.
    await client.until(() => client.texts.length === 76);
    const follower = new HashFollower({ minOrderSize: '5', negRisk: false });
    for (const text of client.texts) follower.take(text);
    expect(follower.failures).toEqual([]);
    expect(follower.verified).toBe(4 + 2 * 73 + 1);
    const firstUp = '17406866367975599232214757606801140480252276357934486651183783311435802862074';
    expect(tokens.indexOf(firstUp)).toBe(extension === '.jsonl' ? 0 : 1);
  });

  it('venue A: a capture of arrays and objects verifies', async () => {
    const servers = await replay([recordingPath('venue-a/poly-polyarb/tests/fixtures/ws_market_capture.json')]);
    const client = await openA(servers, servers.markets.map(tokenOf));
    await client.until(() => client.texts.length === 5);
    const follower = new HashFollower({ minOrderSize: '5', negRisk: false });
    for (const text of client.texts) follower.take(text);
    expect(follower.failures).toEqual([]);
    expect(follower.verified).toBe(2 + 4);
  });
});

describe('the worker', () => {
  const dataOf = (file: string): ReplayWorkerData => ({
    recording: { files: [file], speed: 1, loop: false },
    venueBKey: testKey,
    played: new PlayedFrames().memory,
  });
  const workerUrl = THREADS.replay.entry;

  it('says where it listens, and ends on command', async () => {
    const file = await fileOf(syntheticScript(1, Date.now()).venueB.initial.join('\n'));
    const thread = new VenueThread<ReplayWorkerMessage>(THREADS.replay, dataOf(file), reason => {
      throw new Error(reason);
    });
    const { markets, venueB } = await thread.listening;
    expect(markets).toHaveLength(6);
    const client = await TestClient.open(venueB.streamUrl, signedHeaders());
    await thread.close();
    await client.until(() => client.closed !== null);
  });

  it('ends with an error that names the file it cannot play', async () => {
    const worker = new Worker(workerUrl, { workerData: dataOf('no/such/file') });
    const error = await new Promise<Error>(resolve => worker.once('error', resolve));
    expect(error.message).toContain('no/such/file: cannot be read');
  });
});

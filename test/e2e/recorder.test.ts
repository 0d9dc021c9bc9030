// Books of two venues through a gateway that records them, and the recording through another one: its subscribers see the same books, checksum by
// checksum. And the program itself: records, is asked to stop and start, and plays what it has.

import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type MarketKey, marketAddress, perVenue } from '../../src/core/domain/market.ts';
import { openRecording } from '../../src/market-data/recording/open-recording.ts';
import { MarketChoice } from '../../src/market-data/recording/recorder-settings.ts';
import type { CommandIo } from '../../src/tools/cli/command-io.ts';
import { recordCommand } from '../../src/tools/cli/record.ts';
import { bookCommand } from '../../src/tools/cli/watch-book.ts';
import { OwnProcess } from '../support/child-process.ts';
import { eventually, PATIENCE_MS } from '../support/eventually.ts';
import { type RunningGateway, type RunningGatewayOptions, startRunningGateway } from '../support/running-gateway.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { type InventedSession, inventSession } from './invented-session.ts';
import { Subscriber } from './subscriber.ts';

type Command = (args: readonly string[], io: CommandIo) => Promise<number>;

const SPEED = 20;

let session: InventedSession;
let folder: string;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  session = await inventSession(7, 20_000);
});
afterAll(() => session.remove());
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  removeFolder(folder);
});

async function started(options: Partial<RunningGatewayOptions>): Promise<RunningGateway> {
  const gateway = await startRunningGateway({
    source: { kind: 'recorded', files: session.files },
    speed: SPEED,
    ...options,
  });
  closing.push(() => gateway.close());
  return gateway;
}

async function subscribed(gateway: RunningGateway, markets: readonly MarketKey[]): Promise<Subscriber> {
  const subscriber = await Subscriber.connect(gateway);
  closing.push(() => subscriber.close());
  // Trades first: a book that is subscribed late is whole all the same.
  for (const channel of ['trade', 'book'] as const) await subscriber.subscribe(channel, markets);
  return subscriber;
}

it('a recorded session that is played back shows the same books and trades', async () => {
  const recorder = { folder, markets: MarketChoice.ALL, bytesMax: 1e12 };
  const first = await started({ recorder });
  const { markets } = session;
  const original = await subscribed(first, markets);
  await original.until(() => markets.every(market => original.picture(market) === session.truthOf(market).last));
  await first.close();
  const checksums = new Map<string, Set<number>>();
  const trades: string[] = [];
  for (const event of openRecording(folder).events(({ words }) => expect(words).toBe(''))) {
    const { address } = event.market;
    if (event.kind === 'trade') trades.push(event.tradeId);
    if (event.kind !== 'book' && event.kind !== 'changes') continue;
    checksums.set(address, (checksums.get(address) ?? new Set()).add(event.checksum));
  }
  // The clock waits for all markets, however long it takes to subscribe to them.
  const gate = new SharedArrayBuffer(4);
  new Int32Array(gate)[0] = 1 - markets.length;
  const second = await started({
    rewire: async () => perVenue(venue => ({ venue, recorded: { folder, speed: SPEED, loop: false, gate } })),
  });
  const again = await subscribed(second, markets);
  const isOver = (market: MarketKey): boolean =>
    again.book(market).state === 'STALE' && again.picture(market) === session.truthOf(market).last;
  await again.until(() => markets.every(isOver));
  expect(again.trades.map(({ tradeId }) => tradeId).toSorted()).toEqual(trades.toSorted());
  for (const market of markets) {
    const sightings = again.sightings(market);
    expect(sightings.length).toBeGreaterThan(1);
    for (const { update } of sightings) expect(checksums.get(marketAddress(market))).toContain(update.checksum);
  }
});

it('a market that the setting names is recorded though nobody subscribes to it', async () => {
  const market = session.markets.find(it => it.venue === 'venue_b')!;
  const named = MarketChoice.read(`venue_b:${market.ticker}`) as MarketChoice;
  const gateway = await started({ recorder: { folder, markets: named, bytesMax: 1e12 }, startAfterMarkets: 1 });
  await eventually(() => {
    const contents = openRecording(folder).files.flatMap(file => file.contents().markets);
    expect(contents).toMatchObject([{ venue: 'venue_b', address: market.ticker }]);
    expect(contents[0]!.changes).toBeGreaterThan(0);
  });
  await gateway.close();
});

it('the program records, stops and starts by command, and plays what it has', async () => {
  const [dataDir, recording] = [join(folder, 'data'), join(folder, 'recording')];
  const run = (args: readonly string[], more: Readonly<Record<string, string>>): OwnProcess => {
    const child = new OwnProcess(args, { CROSSBOOK_PORT: '0', CROSSBOOK_DATA_DIR: dataDir, ...more });
    closing.push(() => {
      child.signal('SIGKILL');
      return child.ended;
    });
    return child;
  };
  const says = async (command: Command, ...args: string[]): Promise<string> => {
    let [out, err] = ['', ''];
    const io = { out: (text: string) => (out += text), err: (text: string) => (err += text), env: {} };
    const code = await command(args, io);
    expect([code, err]).toEqual([0, '']);
    return out;
  };
  const book: Command = (args, io) => bookCommand([...args, '--data-dir', dataDir], io, false, PATIENCE_MS);
  const gateway = run(['src/main.ts'], { CROSSBOOK_RECORD_DIR: recording });
  const [, url, venue, address] = await gateway.said(/http:(\S+) \(paper exchanges: (venue_[ab]) (\S+) and/);
  const streamOf = (at: string | undefined): string => `ws:${at}/v1/orderbook`;
  await says(book, venue!, address!, '--once', '--url', streamOf(url));
  const markets = () => openRecording(recording).files.map(file => file.contents().markets);
  await eventually(() => expect(markets().flat()).toMatchObject([{ venue, address }]));
  expect(await says(recordCommand, 'stop', '--data-dir', dataDir)).toBe('the recording is closed\n');
  expect(await says(recordCommand, 'start', '--data-dir', dataDir)).toBe('recording\n');
  gateway.signal('SIGTERM');
  expect(await gateway.ended).toBe(0);
  expect(markets()).toHaveLength(2);
  expect(await says(recordCommand, 'check', recording)).toMatch(/^whole: 2 files, /);
  const player = run(['src/main.ts', '--replay', recording], {});
  const [, at] = await player.said(/http:(\S+) \(replaying 1 markets of 2 recorded files\)/);
  expect(await says(book, venue!, address!, '--once', '--url', streamOf(at))).toContain('LIVE');
});

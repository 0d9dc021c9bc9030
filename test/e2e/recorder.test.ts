// Books of two venues through a gateway that records them, and the recording through another one: its subscribers see the same books, checksum by
// checksum.

import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type MarketKey, marketAddress, perVenue, VENUES } from '../../src/core/domain/market.ts';
import { openRecording } from '../../src/market-data/recording/open-recording.ts';
import { MarketChoice } from '../../src/market-data/recording/recorder-settings.ts';
import { eventually } from '../support/eventually.ts';
import { type RunningGateway, type RunningGatewayOptions, startRunningGateway } from '../support/running-gateway.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { type InventedSession, inventSession } from './invented-session.ts';
import { Subscriber } from './subscriber.ts';

const SPEED = 20;
const CHANNELS = ['trade', 'book'] as const;

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
  // Trades are subscribed first. A book that is subscribed late is complete all the same.
  for (const channel of CHANNELS) await subscriber.subscribe(channel, markets);
  return subscriber;
}

/** Returns the markets in the files so far. */
const recorded = () => openRecording(folder).files.flatMap(file => file.contents().markets);

it('a recorded session that is played back shows the same books and trades', async () => {
  const recorder = { folder, markets: MarketChoice.ALL, bytesMax: 1e12 };
  const first = await started({ recorder });
  const { markets } = session;
  const late = VENUES.map(venue => markets.findLast(market => market.venue === venue)!);
  const early = markets.filter(market => !late.includes(market));
  const original = await subscribed(first, early);
  // The clock of a venue waits for its last market. The recorder's thread yields to others, so it may come late to the first markets.
  await eventually(() =>
    expect(recorded().map(({ address }) => address)).toEqual(expect.arrayContaining(early.map(marketAddress))),
  );
  for (const channel of CHANNELS) await original.subscribe(channel, late);
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
  // The clock waits for all markets, however long their subscription takes.
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
    expect(sightings.length).toBeGreaterThan(late.includes(market) ? 0 : 1);
    for (const { update } of sightings) expect(checksums.get(marketAddress(market))).toContain(update.checksum);
  }
});

it('a market that the setting names is recorded though nobody subscribes to it', async () => {
  const [market, other] = session.markets.filter(it => it.venue === 'venue_b');
  const named = MarketChoice.read(`venue_b:${marketAddress(market!)}`) as MarketChoice;
  const gateway = await started({ recorder: { folder, markets: named, bytesMax: 1e12 }, startAfterMarkets: 2 });
  const isIt = { venue: 'venue_b', address: marketAddress(market!) };
  await eventually(() => expect(recorded()).toMatchObject([isIt]));
  // The clock waits for another market, which is not recorded.
  await subscribed(gateway, [other!]);
  await eventually(() =>
    expect(recorded()).toMatchObject([{ ...isIt, changes: expect.toSatisfy(count => count > 0) }]),
  );
  await gateway.close();
});

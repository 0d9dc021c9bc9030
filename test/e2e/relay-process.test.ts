// Books by NATS between processes as an operator starts them: a publisher on the paper exchanges, readers without venues, a hundred subscribers.
// The publisher is killed with SIGKILL and started again; no subscriber misses that, and none sees a book that was not the publisher's. The readers
// share a stream of keys.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BookState, type MarketKey, marketKey, type Venue } from '../../src/core/domain/market.ts';
import { openKeyStore } from '../../src/core/store/key-store.ts';
import { OwnProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { lacksNats, NatsServer } from '../support/nats-server.ts';
import { newKey } from '../support/new-key.ts';
import { sendSigned, signedHeaders, type TestKey } from '../support/signed-requests.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { Subscriber } from './subscriber.ts';

const READERS = 2;
const SUBSCRIBERS_EACH = 50;
const LISTENING =
  /^crossbook listening on http:\/\/127\.0\.0\.1:(\d+) \((?:paper exchanges: (venue_[ab]) (\S+) and|books by NATS)/m;

interface Started {
  readonly process: OwnProcess;
  readonly port: string;
  /** A market of the publisher's venues. Null means that the process is a reader. */
  readonly market: MarketKey | null;
}

describe.skipIf(lacksNats)('a publisher and its readers', () => {
  const folder = temporaryFolder();
  const running = new Set<OwnProcess>();
  let nats: NatsServer;
  let key: TestKey;

  beforeAll(async () => {
    nats = await NatsServer.start();
    key = await keyIn(join(folder, 'reader-0'));
  });
  afterAll(async () => {
    for (const it of running) it.signal('SIGKILL');
    await Promise.all([...running].map(it => it.ended));
    await nats.close();
    removeFolder(folder);
  });

  async function start(name: string, books: 'publish' | 'nats'): Promise<Started> {
    const process = new OwnProcess(['src/main.ts'], {
      CROSSBOOK_PORT: '0',
      CROSSBOOK_DATA_DIR: join(folder, name),
      CROSSBOOK_BOOKS: books,
      CROSSBOOK_KEYS: books === 'nats' ? 'stream' : 'own',
      CROSSBOOK_NATS: nats.url,
      CROSSBOOK_POOL_THREADS: '1',
      CROSSBOOK_WARM_UP: 'off',
      CROSSBOOK_LOG: 'warn',
    });
    running.add(process);
    const [, port = '', venue, address = ''] = await process.said(LISTENING);
    return { process, port, market: venue === undefined ? null : marketKey(venue as Venue, address) };
  }

  async function subscribe({ port }: Started, market: MarketKey): Promise<Subscriber> {
    const url = `ws://127.0.0.1:${port}/v1/orderbook`;
    const subscriber = await Subscriber.connect({
      url,
      upgradeHeaders: () => signedHeaders(key, 'GET', '/v1/orderbook'),
    });
    await subscriber.subscribe('book', [market]);
    return subscriber;
  }

  it('serves every subscriber, through a kill of the publisher', async () => {
    const publisher = await start('publisher', 'publish');
    const market = publisher.market!;
    // The first reader brings the key; the other readers get it from the stream.
    const readers: Started[] = [];
    while (readers.length < READERS) readers.push(await start(`reader-${readers.length}`, 'nats'));
    const subscribers = await Promise.all(
      readers.flatMap(reader => Array.from({ length: SUBSCRIBERS_EACH }, () => subscribe(reader, market))),
    );
    const all = (condition: (subscriber: Subscriber) => boolean) =>
      Promise.all(subscribers.map(it => it.until(() => condition(it))));
    const isIn = (state: BookState) => (subscriber: Subscriber) => subscriber.book(market).state === state;
    // Subscribers fail by themselves if a delta is missing or a checksum is wrong.
    await all(it => isIn('LIVE')(it) && it.sightings(market).length > 3);
    publisher.process.signal('SIGKILL');
    await publisher.process.ended;
    await all(isIn('STALE'));
    await start('publisher', 'publish');
    await all(isIn('LIVE'));
    const states = subscribers.map(it => it.states(market).map(({ reason }) => reason));
    for (const reasons of states) expect(reasons).toEqual(expect.arrayContaining(['SILENCE', 'FEED_RESTARTED']));
    for (const subscriber of subscribers) {
      // On a busy machine a client may fall behind; the gateway tells it so.
      expect([subscriber.closedWith, subscriber.errors.filter(code => code !== 'LAGGED')]).toEqual([null, []]);
      subscriber.close();
    }
    await revoke(readers.at(-1)!);
  });

  /** Revokes the key by a command on the data directory of the first reader. */
  async function revoke({ port }: Started): Promise<void> {
    const asked = () => sendSigned(`http://127.0.0.1:${port}/v1/whoami`, key);
    expect((await asked()).status).toBe(200);
    const command = ['src/tools/cli/crossbook.ts', 'keys', 'revoke', key.keyId, '--data-dir', join(folder, 'reader-0')];
    const settings = { CROSSBOOK_KEYS: 'stream', CROSSBOOK_NATS: nats.url };
    expect(await new OwnProcess(command, settings).ended).toBe(0);
    await eventually(async () => expect((await asked()).status).toBe(401));
  }
});

async function keyIn(folder: string): Promise<TestKey> {
  const store = openKeyStore(join(folder, 'keys'));
  const key = await newKey(store, { podId: 'desk', actorId: 'bot', scopes: ['read'] });
  await store.close();
  return key;
}

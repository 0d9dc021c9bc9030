// A user of NATS without the permissions of docs/RELAY.md. Books do not come, and the log of the gateway that lacks a permission names the subject,
// once for each connection.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BID } from '../../../src/core/domain/market.ts';
import { SharedFigures } from '../../../src/core/metrics/shared-figures.ts';
import { NatsLink } from '../../../src/core/nats/connection.ts';
import { type Log, type LogFields, silentLog } from '../../../src/core/runtime/log.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { Outlet } from '../../../src/market-data/relay/book-publisher.ts';
import { PULSES, pulseSubject } from '../../../src/market-data/relay/protocol.ts';
import { PublisherLink } from '../../../src/market-data/relay/publisher-link.ts';
import { RELAY_COUNTS } from '../../../src/market-data/relay/relay-messages.ts';
import { eventually } from '../../support/eventually.ts';
import { lacksNats, NatsServer } from '../../support/nats-server.ts';
import { PublisherRig, TICKER } from './relay-rig.ts';

describe.skipIf(lacksNats)('without permission', () => {
  let nats: NatsServer;
  let warned: [string, LogFields | undefined][];
  let log: Log;
  beforeEach(async () => {
    nats = await NatsServer.start({ denied: PULSES });
    warned = [];
    log = { ...silentLog, warn: (...line) => warned.push(line as [string, LogFields | undefined]) };
  });
  afterEach(() => nats.close());

  it('a publisher says so', async () => {
    const link = await NatsLink.connect(nats.settings, 'publisher');
    const counters = new SharedFigures(RELAY_COUNTS);
    const outlet = new Outlet({ counters, log, onOpen: () => {} });
    outlet.attach(link);
    for (const _ of [1, 2, 3]) outlet.send(pulseSubject('p1'), new Uint8Array());
    await eventually(() => expect(counters.read('refused')).toBe(3));
    const error = expect.stringContaining(`"${pulseSubject('p1')}"`);
    expect(warned).toEqual([['NATS refuses a message', { error }]]);
    await link.close();
  });

  it('a reader says so', async () => {
    const parts = { nats: nats.settings, name: 'reader', timers: wallTimers, log };
    const publisher = new PublisherLink(parts, { onUp: () => {}, onDown: () => {}, onPublisher: () => {} });
    publisher.start();
    const error = expect.stringContaining(`"${PULSES}"`);
    await eventually(() => expect(warned).toEqual([['NATS refuses a subject', { error }]]));
    await publisher.close();
  });
});

// A thread that follows the books looks up in the index whether a market has a book. While the main thread wrote the index, the thread tried a
// thousand times, which takes some microseconds. The system may stop the main thread within a write for longer. Then the market counted as gone: it
// was never published, recorded or in the shared file, and no message said so.
describe('3310: markets that a follower left out', () => {
  let worker: Worker;
  afterEach(async () => {
    await worker.terminate();
  });

  async function withinAWrite(rig: PublisherRig): Promise<void> {
    worker = new Worker(new URL('./pausing-writer.ts', import.meta.url), { workerData: rig.arena });
    await once(worker, 'message');
  }

  it('a market that is listed while the index is written is published', async () => {
    const rig = new PublisherRig();
    const book = rig.open();
    rig.begin(book);
    rig.index.put('venue_b', TICKER, { book, view: 0 });
    await withinAWrite(rig);
    rig.publisher.list(TICKER, { book, view: 0 });
    expect(rig.take().map(({ message }) => message.type)).toEqual(['snapshot']);
  });

  it('a book and a change that come while the index is written are published', async () => {
    const rig = new PublisherRig();
    const book = rig.open();
    rig.list(TICKER, book);
    rig.take();
    rig.begin(book);
    await withinAWrite(rig);
    expect(rig.take().map(({ message }) => message.type)).toEqual(['snapshot']);
    rig.write(book, [[BID, 4_100, 5]]);
    await withinAWrite(rig);
    expect(rig.take().map(({ message }) => message.type)).toEqual(['delta']);
  });
});

// Messages of a publisher to a NATS server that does not keep up, is gone, or refuses a message.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SharedFigures } from '../../../src/core/metrics/shared-figures.ts';
import { NatsLink } from '../../../src/core/nats/connection.ts';
import { type Log, silentLog } from '../../../src/core/runtime/log.ts';
import { Outlet } from '../../../src/market-data/relay/book-publisher.ts';
import { RELAY_COUNTS, type RelayCounts } from '../../../src/market-data/relay/relay-messages.ts';
import { eventually } from '../../support/eventually.ts';
import { lacksNats, NatsServer } from '../../support/nats-server.ts';

const MEGABYTE = new Uint8Array(1_000_000);

describe.skipIf(lacksNats)('an outlet', () => {
  let nats: NatsServer;
  let link: NatsLink;
  let counters: RelayCounts;
  let outlet: Outlet;
  let opened: number;
  let warned: string[];

  beforeEach(() => begin());
  afterEach(end);

  async function begin(payloadBytesMax = 1_048_576): Promise<void> {
    nats = await NatsServer.start({ payloadBytesMax });
    link = await NatsLink.connect(nats.settings, 'outlet');
    [counters, opened, warned] = [new SharedFigures(RELAY_COUNTS), 0, []];
    const log: Log = { ...silentLog, warn: message => warned.push(message) };
    outlet = new Outlet({ counters, log, onOpen: () => (opened += 1) });
    outlet.attach(link);
  }

  async function end(): Promise<void> {
    nats.goOn();
    await link.close();
    await nats.close();
  }

  it('pauses when the server does not read, and opens once it has read all', async () => {
    await nats.hold();
    for (let sent = 0; sent < 40; sent++) outlet.send('crossbook.test', MEGABYTE);
    expect([outlet.isOpen, counters.read('pauses'), opened]).toEqual([false, 1, 1]);
    expect(counters.read('messages')).toBeLessThan(40);
    outlet.confirm();
    nats.goOn();
    await eventually(() => {
      outlet.confirm();
      expect([outlet.isOpen, opened]).toEqual([true, 2]);
    });
    expect(warned).toEqual(['NATS does not keep up: books pause']);
  });

  it('is closed while the server is gone, and opens when it is back', async () => {
    outlet.send('crossbook.test', MEGABYTE);
    await nats.kill();
    await eventually(() => expect([outlet.isOpen, counters.read('connected')]).toEqual([false, 0]));
    outlet.send('crossbook.test', MEGABYTE);
    expect(counters.read('messages')).toBe(1);
    await nats.restart();
    await eventually(() => expect([outlet.isOpen, counters.read('connected'), opened]).toEqual([true, 1, 2]));
  });

  it('drops messages that are longer than the server takes, counts all and reports one', () => {
    for (let sent = 0; sent < 3; sent++) outlet.send('crossbook.test', new Uint8Array(2_000_000));
    expect([warned, counters.read('messages'), counters.read('refused')]).toEqual([['NATS refuses a message'], 0, 3]);
  });

  it('says at the start that the server takes too little for the largest books', async () => {
    await end();
    await begin(100_000);
    expect(warned).toEqual(['max_payload of NATS is too small for the largest books']);
  });
});

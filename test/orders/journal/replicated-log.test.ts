// The pod's journal in a stream of a real NATS. An acknowledged record is there once and in order, through all kills of the server. Of two
// writers exactly one goes on.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsLink } from '../../../src/core/nats/connection.ts';
import { NatsStream } from '../../../src/core/nats/stream.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { ReplicatedLog } from '../../../src/orders/journal/replicated-log.ts';
import { eventually } from '../../support/eventually.ts';
import { lacksNats, NatsServer } from '../../support/nats-server.ts';

describe.skipIf(lacksNats)('a replicated log', () => {
  let server: NatsServer;
  let name: string;
  const closes: (() => unknown)[] = [];

  beforeAll(async () => {
    server = await NatsServer.start();
  });
  afterAll(async () => {
    for (const close of closes) await close();
    await server?.close();
  });

  interface Writer {
    readonly log: ReplicatedLog;
    readonly kept: string[];
    readonly lost: string[];
  }

  async function streamOf(): Promise<NatsStream> {
    const link = await NatsLink.connect(server.settings, 'test');
    closes.push(() => link.close());
    return NatsStream.open(link, name, `of.${name}`);
  }

  /** Returns a gateway that has read the stream to its end. */
  async function writer(): Promise<Writer> {
    const stream = await streamOf();
    const { last } = await stream.end();
    const [kept, lost]: [string[], string[]] = [[], []];
    const log = new ReplicatedLog({
      ...{ stream, timers: wallTimers, term: randomUUID(), from: last },
      onKept: payload => kept.push(Buffer.from(payload).toString()),
      onLost: words => lost.push(words),
    });
    closes.unshift(() => log.close());
    return { log, kept, lost };
  }

  async function stored(): Promise<readonly string[]> {
    const stream = await streamOf();
    const { last } = await stream.end();
    const records: string[] = [];
    if (last === 0) return records;
    for await (const { sequence, payload } of stream.read(1)) {
      records.push(Buffer.from(payload).toString());
      if (sequence === last) break;
    }
    return records;
  }

  const numbered = (who: string, from: number, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `${who} ${from + index}`);
  const append = ({ log }: Writer, texts: readonly string[]): void => {
    for (const text of texts) log.append(Buffer.from(text));
  };
  /** Waits until the log takes records again. */
  const recovered = ({ log }: Writer): Promise<void> => eventually(() => log.durable());

  it('keeps records in their order, in the stream and for its owner', async () => {
    name = randomUUID();
    const one = await writer();
    const texts = numbered('one', 0, 500);
    append(one, texts);
    await recovered(one);
    expect([one.kept, await stored(), one.log.next]).toEqual([texts, texts, 501]);
    expect(one.log.fence()).toBeNull();
  });

  it('keeps one of two owners that append at once, and no record of the other behind those of that one', async () => {
    for (let round = 0; round < 20; round++) {
      name = randomUUID();
      const first = await writer();
      append(first, ['begin']);
      await recovered(first);
      const [one, other] = [await writer(), await writer()];
      append(one, numbered('one', 0, 10));
      // This writer has more records. After a refused record, the stream's sequence at some point equals the sequence that a later record
      // expects.
      append(other, numbered('other', 0, 15));
      const outcomes = await Promise.all([one, other].map(({ log }) => recoveredOr(log)));
      expect(outcomes.toSorted()).toEqual(['lost', 'won']);
      const winner = outcomes[0] === 'won' ? 'one' : 'other';
      expect(await stored()).toEqual(['begin', ...numbered(winner, 0, winner === 'one' ? 10 : 15)]);
      const loser = winner === 'one' ? other : one;
      expect([loser.kept, loser.lost]).toEqual([[], [expect.stringContaining('does not own the pod any more')]]);
      expect(() => append(loser, ['more'])).toThrow('does not own the pod any more');
    }
  });

  it('notices a successor that appends while it has nothing to append', async () => {
    name = randomUUID();
    const former = await writer();
    append(former, ['former']);
    await recovered(former);
    const successor = await writer();
    append(successor, ['successor']);
    await recovered(successor);
    await eventually(() => expect(former.lost).toHaveLength(1));
    await expect(former.log.durable()).rejects.toThrow('does not own');
  });

  it('reports nothing as safe while NATS is silent, and goes on where it was', async () => {
    name = randomUUID();
    const one = await writer();
    append(one, numbered('one', 0, 3));
    await recovered(one);
    await server.hold();
    append(one, numbered('one', 3, 3));
    await expect(one.log.durable()).rejects.toThrow('has acknowledged nothing for 1000 ms');
    expect(one.log.problem?.message).toContain(name);
    // Cancels do not wait for this record.
    await one.log.fence();
    append(one, numbered('one', 6, 3));
    await expect(one.log.durable()).rejects.toThrow(name);
    server.goOn();
    await recovered(one);
    expect([await stored(), one.kept, one.lost]).toEqual([numbered('one', 0, 9), numbered('one', 0, 9), []]);
  });

  it('loses and doubles nothing when NATS is killed again and again', async () => {
    name = randomUUID();
    const one = await writer();
    let appended = 0;
    for (let round = 0; round < 5; round++) {
      append(one, numbered('one', appended, 40));
      appended += 40;
      const killed = server.kill();
      append(one, numbered('one', appended, 40));
      appended += 40;
      await killed;
      await expect(one.log.durable()).rejects.toThrow(name);
      await server.restart();
      await recovered(one);
    }
    expect(one.lost).toEqual([]);
    expect(await stored()).toEqual(numbered('one', 0, appended));
    expect(one.kept).toEqual(numbered('one', 0, appended));
  });

  it('takes records while it connects anew', async () => {
    name = randomUUID();
    const one = await writer();
    append(one, ['before']);
    await recovered(one);
    await server.kill();
    // Another server takes the connection, and never greets.
    const sockets: Socket[] = [];
    const mute = createServer(socket => sockets.push(socket)).listen(server.port, '127.0.0.1');
    await eventually(() => expect(sockets).not.toEqual([]));
    append(one, ['meanwhile']);
    for (const socket of sockets) socket.destroy();
    mute.close();
    await once(mute, 'close');
    await server.restart();
    await recovered(one);
    expect([await stored(), one.lost]).toEqual([['before', 'meanwhile'], []]);
  });

  it('refuses a record that NATS would not take, and goes on', async () => {
    name = randomUUID();
    const one = await writer();
    expect(() => one.log.append(new Uint8Array(1024 * 1024))).toThrow('max_payload of NATS');
    append(one, ['small']);
    await recovered(one);
    expect(await stored()).toEqual(['small']);
  });

  /** Returns whether the writer has all its records in the stream, or no longer owns the stream. */
  async function recoveredOr(log: ReplicatedLog): Promise<'won' | 'lost'> {
    return eventually(async () => {
      try {
        await log.durable();
        return 'won';
      } catch (error) {
        if (String(error).includes('does not own')) return 'lost';
        throw error;
      }
    });
  }
});

describe.skipIf(lacksNats)('a stream whose server has no room', () => {
  it('refuses in words, and takes the records once there is room', async () => {
    const server = await NatsServer.start({ storeBytesMax: 300_000 });
    const link = await NatsLink.connect(server.settings, 'test');
    try {
      const other = await NatsStream.open(link, 'other', 'other');
      const stream = await NatsStream.open(link, 'full', 'full');
      let sequence = 0;
      const full = Promise.withResolvers<string>();
      const { prefix } = other.onStored((_tag, it) => it.type === 'refused' && full.resolve(it.message));
      for (; sequence < 10; sequence++)
        other.publish(new Uint8Array(60_000), { id: randomUUID(), lastSequence: sequence, lastId: null }, `${prefix}x`);
      await full.promise;
      const log = new ReplicatedLog({
        ...{ stream, timers: wallTimers, term: 'one', from: 0, onKept: () => {} },
        onLost: words => expect.unreachable(words),
      });
      log.append(new Uint8Array(60_000));
      await expect(log.durable()).rejects.toThrow(/stream full: .*(insufficient|resource|storage|maximum)/);
      const { streams } = await link.jetStream(2_000);
      await streams.delete('other');
      await eventually(() => log.durable());
      expect((await stream.end()).last).toBe(1);
      log.close();
    } finally {
      await link.close();
      await server.close();
    }
  });
});

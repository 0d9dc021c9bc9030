// An ended stream whose client does not read the rest.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Connection, type Listener, listen, socketRoute } from '../../../src/core/net/listen.ts';
import { jsonCodec } from '../../../src/core/wire/json.ts';
import { limits } from '../../../src/limits.ts';
import { type Rig, RigClient, startRig, TICKER } from '../../support/stream-rig.ts';
import { turnsUntil } from '../../support/turns.ts';

// An ended stream had up to 8 MiB unsent, which nothing counted. A key could have any number of ended streams, and use up the file
// descriptors that httpConnectionsMax reserves.
describe('0138: an ended stream that lives on', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0).reverse()) close();
  });

  /** Opens a WebSocket by hand. The socket stays open on its own side until it is destroyed, and reads only on command. */
  async function open(port: number, path: string): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
    closing.push(() => socket.destroy());
    const key =
      'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`);
    await once(socket, 'data');
    socket.pause();
    return socket;
  }

  /** Reads until the server has sent everything. Returns the last `count` bytes. */
  async function lastBytes(socket: Socket, count: number): Promise<Buffer> {
    let last = Buffer.alloc(0);
    socket.on('data', (part: Buffer) => {
      last = Buffer.concat([last, part]).subarray(-count);
    });
    socket.resume();
    await once(socket, 'end');
    return last;
  }

  function closeFrame(code: number, reason: string): Buffer {
    return Buffer.concat([Buffer.of(0x88, 2 + reason.length, code >> 8, code & 0xff), Buffer.from(reason)]);
  }

  /** A number of bytes that exceeds the system's buffers for a client that does not read. */
  const UNSENT_BYTES = 16 * 1024 * 1024;
  const REASON = 'too slow';

  describe('a WebSocket that was ended', () => {
    let listener: Listener;
    let server: Connection<unknown>;
    let codes: number[];
    let heard: number;

    async function start(endMs: number, endedMs: number, unsentBytes: number): Promise<Socket> {
      codes = [];
      heard = 0;
      const route = socketRoute<null>({
        pattern: '/stream',
        messageBytesMax: 1_000,
        unsentBytesMax: 2 * UNSENT_BYTES,
        idleTimeoutS: limits.streamIdleTimeoutS,
        accept: () => ({ context: null, subprotocol: '' }),
        open: connection => {
          server = connection;
          connection.send(new Uint8Array(unsentBytes), true);
        },
        message: () => {
          heard += 1;
        },
        drain: () => {},
        close: (_connection, code) => {
          codes.push(code);
        },
      });
      const waits = { webSocketEndMs: endMs, webSocketEndedMs: endedMs };
      listener = await listen({ host: '127.0.0.1', port: 0, http: [], sockets: [route], ...waits });
      closing.push(() => listener.close());
      return open(listener.port, '/stream');
    }

    it('is cut, by webSocketEndMs, where its peer does not read what is unsent', async () => {
      await start(1, limits.webSocketEndedMs, UNSENT_BYTES);
      expect(server.bufferedBytes()).toBeGreaterThan(0);
      server.end(1013, REASON);
      expect([codes, listener.connections]).toEqual([[], 1]);
      await turnsUntil(() => codes.length > 0);
      expect([codes, listener.connections]).toEqual([[1006], 0]);
    });

    it('says why behind what was unsent, to a peer that reads it; nothing is sent, heard or said again before', async () => {
      const peer = await start(limits.webSocketEndMs, limits.webSocketEndedMs, UNSENT_BYTES);
      server.end(1013, REASON);
      const unsent = server.bufferedBytes();
      server.end(1001, 'another');
      expect([server.send('more', false), server.bufferedBytes()]).toEqual([false, unsent]);
      const mask = [0, 0, 0, 0];
      peer.write(Uint8Array.of(0x81, 0x81, ...mask, 0x61));
      const goodbye = closeFrame(1013, REASON);
      expect(await lastBytes(peer, goodbye.length)).toEqual(goodbye);
      expect([codes, heard]).toEqual([[1013], 0]);
    });

    it('counts as open, for webSocketEndedMs, while its peer keeps its side open', async () => {
      await start(limits.webSocketEndMs, 1, 1);
      server.end(1013, REASON);
      expect([codes, listener.connections]).toEqual([[1013], 1]);
      await turnsUntil(() => listener.connections === 0);
    });

    it.each([
      ['with a code', [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8]],
      ['without one', [0x88, 0x80, 0, 0, 0, 0]],
      ['with one that is none', [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xed]],
    ])('by its peer, %s, counts as long', async (_what, frame) => {
      const peer = await start(limits.webSocketEndMs, 1_000_000, 1);
      peer.write(Uint8Array.from(frame));
      await turnsUntil(() => codes.length > 0);
      expect(listener.connections).toBe(1);
    });

    it('by its peer without a goodbye does not: it is gone', async () => {
      const peer = await start(limits.webSocketEndMs, limits.webSocketEndedMs, 1);
      peer.end();
      await turnsUntil(() => codes.length > 0);
      expect(listener.connections).toBe(0);
    });
  });

  describe('a stream of /v1/orderbook that was ended', () => {
    const PING = jsonCodec.encodeClient({ op: 'ping', id: 'x'.repeat(limits.streamIdCharactersMax) });
    const PINGS = Buffer.concat(
      Array(1_000).fill(Buffer.concat([Buffer.of(0x81, 0xfe, 0, PING.length, 0, 0, 0, 0), PING])),
    );

    async function lag(rig: Rig, peer: Socket): Promise<void> {
      await turnsUntil(() => {
        if (peer.writableLength === 0) peer.write(PINGS);
        rig.clients.patrolAll();
        return rig.clients.laggards > 0;
      });
    }

    it('is one of its key’s until it is gone, though it is open no more and on no topic', async () => {
      const endless = { perS: 1e9, burstMax: 1e9 };
      const rig = await startRig({ streamsPerKeyMax: 1, uncounted: endless });
      closing.push(() => rig.close());
      const { port, pathname } = new URL(rig.url);
      const peer = await open(Number(port), pathname);
      const subscribe = jsonCodec.encodeClient({
        ...{ op: 'subscribe', id: '1', channel: 'book' },
        markets: [{ market: { venue: 'venue_b', ticker: TICKER }, side: null }],
      });
      peer.write(Buffer.concat([Buffer.of(0x81, 0xfe, 0, subscribe.length, 0, 0, 0, 0), subscribe]));
      await lag(rig, peer);
      rig.clients.closeRefused(() => 'the signing key was revoked');
      expect(rig.clients.count).toBe(0);
      await expect.poll(() => rig.unsubscribed).toEqual([TICKER]);
      await expect(RigClient.connect(rig)).rejects.toThrow('429');
      rig.clients.patrolAll();
      expect(rig.clients.laggards).toBe(1);
      const goodbye = closeFrame(1008, 'the signing key was revoked');
      expect(await lastBytes(peer, goodbye.length)).toEqual(goodbye);
      const next = await RigClient.connect(rig);
      next.close();
    });
  });
});

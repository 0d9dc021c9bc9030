// The pool over real sockets: what it sends, on which connection, who waits, and how connections end.

import { describe, expect, it } from 'vitest';
import type { OutboundPoolOptions, OutboundRequest } from '../../../src/core/net/outbound.ts';
import { HttpOutboundPool } from '../../../src/core/net/outbound-pool.ts';
import { limits } from '../../../src/limits.ts';
import { turnsUntil } from '../../support/turns.ts';
import { answerAll, answerText, brief, type OnRequest, post, type SeenRequest, servedPool } from './outbound-rig.ts';

const LONG_MS = 50_000;
const SHORT_MS = 30;

async function rig(onRequest?: OnRequest, options?: Partial<OutboundPoolOptions>) {
  const { server, pool } = await servedPool(onRequest, options);
  const ask = async (body: string | Uint8Array, timeoutMs = LONG_MS) =>
    brief(await pool.request(post(body), timeoutMs));
  return { server, pool, ask };
}

/** Keeps every request, so that the test can answer it. */
function keeper(): { readonly kept: SeenRequest[]; readonly onRequest: OnRequest } {
  const kept: SeenRequest[] = [];
  return { kept, onRequest: request => kept.push(request) };
}

describe('what leaves', () => {
  it('is the request and nothing else', async () => {
    const { server, ask } = await rig();
    expect(await ask('{"a":1}')).toBe('200 {"a":1}');
    expect(server.requests[0]?.head).toBe(
      'POST /orders?x=1 HTTP/1.1\r\n' +
        `Host: 127.0.0.1:${server.port}\r\nConnection: keep-alive\r\nX-Key: k\r\nContent-Length: 7\r\n\r\n`,
    );
  });

  it('has its length in bytes, for each kind of body', async () => {
    const { server, ask } = await rig();
    await ask('é€😀');
    await ask(Uint8Array.of(0, 255, 13, 10));
    await ask('');
    expect(server.requests.map(it => it.body)).toEqual([Buffer.from('é€😀').toString('latin1'), '\0\xff\r\n', '']);
    expect(server.requests[2]?.head).toContain('Content-Length: 0\r\n');
  });

  it.each<[method: OutboundRequest['method'], body: string, length: string | null]>([
    ['GET', '', null],
    ['DELETE', '', null],
    ['DELETE', '{}', '2'],
    ['PUT', '', '0'],
  ])('%s with body “%s” announces length %s', async (method, body, length) => {
    const { server, pool } = await rig();
    await pool.request({ method, target: '/', headers: {}, body }, LONG_MS);
    expect(/Content-Length: (\d+)/.exec(server.requests[0]!.head)?.[1] ?? null).toBe(length);
  });

  it.each<[what: string, change: Partial<OutboundRequest>]>([
    ['a line break in a value', { headers: { A: 'b\r\nC: d' } }],
    ['a line feed in a value', { headers: { A: 'b\nC: d' } }],
    ['a NUL in a value', { headers: { A: 'b\0' } }],
    ['a value that is not ASCII', { headers: { A: 'é' } }],
    ['a line break in a name', { headers: { 'A: b\r\nC': 'd' } }],
    ['an empty name', { headers: { '': 'd' } }],
    ['another length', { headers: { 'content-length': '3' } }],
    ['another framing', { headers: { 'Transfer-Encoding': 'chunked' } }],
    ['another host', { headers: { HOST: 'x' } }],
    ['a line break in the target', { target: '/a\r\nB: c' }],
    ['a blank in the target', { target: '/a b' }],
    ['a target that is a URL', { target: 'http://x/' }],
    ['no target', { target: '' }],
  ])('is nothing with %s', async (_what, change) => {
    const { server, pool } = await rig();
    const outcome = await pool.request({ ...post('x'), ...change }, LONG_MS);
    expect(outcome.type).toBe('not-sent');
    expect(server.bytesSeen).toBe(0);
  });

  it('is nothing without time', async () => {
    const { server, pool, ask } = await rig();
    for (const timeoutMs of [0, -1, Number.NaN]) expect(await ask('x', timeoutMs)).toBe('not-sent');
    const late = await pool.request({ ...post('x'), sendWithinMs: -1 }, 1_000);
    expect(late).toMatchObject({ type: 'not-sent' });
    expect(server.sockets).toHaveLength(0);
  });
});

describe('which connection', () => {
  it('is the last one used', async () => {
    const { server, pool, ask } = await rig();
    await pool.warmUp(3);
    for (let index = 0; index < 10; index++) await ask(String(index));
    expect(new Set(server.requests.map(it => it.connection)).size).toBe(1);
    expect(server.counted).toMatchObject({ opened: 3, closed: 0 });
  });

  it('is a new one while others are busy, up to the bound; then requests wait in order', async () => {
    const { kept, onRequest } = keeper();
    const { server, ask } = await rig(onRequest, { connectionsMax: 2 });
    const answers = ['a', 'b', 'c', 'd', 'e'].map(it => ask(it));
    await turnsUntil(() => kept.length === 2);
    for (let index = 0; index < 5; index++) {
      await turnsUntil(() => kept.length > index);
      answerAll(kept[index]!, index);
    }
    expect(await Promise.all(answers)).toEqual(['200 a', '200 b', '200 c', '200 d', '200 e']);
    expect(server.requests.slice(2).map(it => it.body)).toEqual(['c', 'd', 'e']);
    expect(server.sockets).toHaveLength(2);
  });

  it('brings one request at a time', async () => {
    let underWay = 0;
    const { ask } = await rig(
      request => {
        underWay += 1;
        expect(underWay).toBe(1);
        setImmediate(() => {
          underWay -= 1;
          answerAll(request, 0);
        });
      },
      { connectionsMax: 1 },
    );
    await Promise.all(Array.from({ length: 50 }, (_, index) => ask(String(index))));
  });

  it('refuses to let more wait than the bound', async () => {
    const { kept, onRequest } = keeper();
    const { pool, ask } = await rig(onRequest, { connectionsMax: 1 });
    const first = ask('first');
    await turnsUntil(() => kept.length === 1);
    const waiting = Array.from({ length: limits.outboundWaitingMax }, () => ask('waits'));
    expect(await pool.request(post('x'), LONG_MS)).toMatchObject({
      type: 'not-sent',
      message: expect.stringContaining('outboundWaitingMax'),
    });
    const closed = pool.close();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['not-sent']));
    answerAll(kept[0]!, 0);
    expect(await first).toBe('200 first');
    await closed;
  });

  it('is kept free for what is urgent, and the next goes to that, too', async () => {
    const { kept, onRequest } = keeper();
    const { server, pool, ask } = await rig(onRequest, { connectionsMax: 3, connectionsKept: 1 });
    const urge = async (body: string) => brief(await pool.request({ ...post(body), isUrgent: true }, LONG_MS));
    const usual = ['a', 'b', 'c'].map(body => ask(body));
    await turnsUntil(() => kept.length === 2);
    const urgent = [urge('x'), urge('y')];
    await turnsUntil(() => kept.length === 3);
    for (let answered = 0; answered < 5; answered += 1) {
      await turnsUntil(() => kept.length > answered);
      answerAll(kept[answered]!, answered);
    }
    expect(await Promise.all([...usual, ...urgent])).toEqual(['200 a', '200 b', '200 c', '200 x', '200 y']);
    expect(server.requests.map(({ body }) => body)).toEqual(['a', 'b', 'x', 'y', 'c']);
    expect(server.sockets).toHaveLength(3);
  });

  it('that is reserved stays reserved when its holder is done', async () => {
    const { kept, onRequest } = keeper();
    const { pool, ask } = await rig(onRequest, { connectionsMax: 2, connectionsKept: 1 });
    const usual = [ask('a'), ask('b')];
    const urgent = pool.request({ ...post('x'), isUrgent: true }, LONG_MS);
    await turnsUntil(() => kept.length === 2);
    const [first, second] = kept[0]!.body === 'a' ? kept : kept.toReversed();
    answerAll(second!, 0);
    expect(brief(await urgent)).toBe('200 x');
    // The reserved connection is free, and a usual request that has waited longer does not get it.
    const next = pool.request({ ...post('y'), isUrgent: true }, LONG_MS);
    await turnsUntil(() => kept.length === 3);
    expect(kept[2]!.body).toBe('y');
    answerAll(kept[2]!, 0);
    expect(brief(await next)).toBe('200 y');
    answerAll(first!, 0);
    await turnsUntil(() => kept.length === 4);
    answerAll(kept[3]!, 0);
    expect(await Promise.all(usual)).toEqual(['200 a', '200 b']);
  });

  it('goes to a waiter when another request is lost', async () => {
    const { ask } = await rig(
      ({ socket, body }, index) => (index === 0 ? socket.destroy() : answerAll({ socket, body } as SeenRequest, index)),
      {
        connectionsMax: 1,
      },
    );
    expect(await Promise.all([ask('a'), ask('b')])).toEqual(['lost', '200 b']);
  });

  it('is a new one for who waits when the server ends each after its answer', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na';
    const { server, ask } = await rig(({ socket }) => socket.end(answer), { connectionsMax: 1 });
    expect(await Promise.all([ask('x'), ask('y'), ask('z')])).toEqual(['200 a', '200 a', '200 a']);
    expect(server.requests.map(it => it.connection)).toEqual([0, 1, 2]);
  });

  it('is used once more for who waits even where none may idle', async () => {
    const { server, ask } = await rig(answerAll, { connectionsMax: 1, idleMs: 0 });
    expect(await Promise.all([ask('a'), ask('b')])).toEqual(['200 a', '200 b']);
    expect(server.sockets).toHaveLength(1);
    expect(server.poolOpenCount).toBe(0);
  });
});

describe('a connection is not used again', () => {
  it.each<[what: string, answer: string]>([
    ['after Connection: close', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na'],
    ['after HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na'],
    ['after two answers to one request', `${answerText('a')}${answerText('b')}`],
    ['after more than it announced', `${answerText('a')}b`],
    ['that is said to end at once', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1, max=9\r\nContent-Length: 1\r\n\r\na'],
  ])('%s', async (_what, answer) => {
    const { server, ask } = await rig((request, index) => {
      if (index === 0) request.socket.write(answer);
      else answerAll(request, index);
    });
    expect(await ask('x')).toBe('200 a');
    expect(await ask('y')).toBe('200 y');
    expect(server.requests.map(it => it.connection)).toEqual([0, 1]);
    expect(server.counted).toMatchObject({ opened: 2, closed: 1 });
    await turnsUntil(() => server.openCount === 1);
  });

  it('whose end was the end of a body', async () => {
    const { server, ask } = await rig(({ socket }) => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
    expect(await ask('x')).toBe('200 all of it');
    expect(server.poolOpenCount).toBe(0);
  });

  it.each<[what: string, end: (request: SeenRequest) => void]>([
    ['has ended', ({ socket }) => socket.end()],
    ['has reset', ({ socket }) => socket.resetAndDestroy()],
    ['spoke on unasked', ({ socket }) => socket.write('HTTP/1.1 408 Request Timeout\r\n\r\n')],
  ])('that the server %s while it was idle: the request takes another', async (_what, end) => {
    const { server, ask } = await rig();
    expect(await ask('a')).toBe('200 a');
    end(server.requests[0]!);
    await turnsUntil(() => server.poolOpenCount === 0);
    expect(await ask('b')).toBe('200 b');
    expect(server.counted).toMatchObject({ lost: 0, closed: 1 });
  });

  it('that has been idle for too long: we end it', async () => {
    const { server, pool, ask } = await rig(answerAll, { idleMs: SHORT_MS });
    await pool.warmUp(3);
    await ask('a');
    await turnsUntil(() => server.poolOpenCount === 0);
    await turnsUntil(() => server.openCount === 0);
    expect(await ask('b')).toBe('200 b');
    expect(server.sockets).toHaveLength(4);
  });

  it('that was idle for too long while the loop was busy', async () => {
    const { server, ask } = await rig(answerAll, { idleMs: SHORT_MS });
    await ask('a');
    const endMs = performance.now() + SHORT_MS;
    while (performance.now() < endMs);
    expect(await ask('b')).toBe('200 b');
    expect(server.requests.map(it => it.connection)).toEqual([0, 1]);
    expect(server.counted.lost).toBe(0);
  });

  it('when the answer came before the request had left', async () => {
    const { server, pool } = await rig();
    server.onConnection = socket => {
      if (server.sockets.length > 1) return;
      socket.removeAllListeners('data');
      socket.once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 413 x\r\nContent-Length: 0\r\n\r\n');
      });
    };
    expect(brief(await pool.request(post('x'.repeat(32 * 1024 * 1024)), LONG_MS))).toBe('413 ');
    expect(server.poolOpenCount).toBe(0);
    expect(brief(await pool.request(post('next'), LONG_MS))).toBe('200 next');
  });
});

describe('answers', () => {
  it('without a body leave the connection in step', async () => {
    const answers = [
      'HTTP/1.1 204 x\r\n\r\n',
      'HTTP/1.1 304 x\r\nContent-Length: 9\r\n\r\n',
      'HTTP/1.1 200 x\r\nContent-Length: 9\r\n\r\n',
    ];
    const { server, pool } = await rig(({ socket }, index) => socket.write(answers[index]!));
    for (const [method, status] of [
      ['GET', 204],
      ['GET', 304],
      ['HEAD', 200],
    ] as const) {
      expect(brief(await pool.request({ ...post(''), method }, LONG_MS))).toBe(`${status} `);
    }
    expect(server.sockets).toHaveLength(1);
  });

  it('may come a byte at a time, after interim ones', async () => {
    const { server, ask } = await rig(({ socket, body }) => {
      const bytes = Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), answerText(body)]);
      const next = (at: number): void => {
        if (at < bytes.length) socket.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1));
      };
      next(0);
    });
    for (const body of ['a', 'b']) expect(await ask(body)).toBe(`200 ${body}`);
    expect(server.sockets).toHaveLength(1);
  });

  it('larger than a read keep their bytes', async () => {
    const body = 'abcdefgh'.repeat(100_000);
    const { ask } = await rig(answerAll, { answerBytesMax: 1024 * 1024 });
    expect(await ask(body)).toBe(`200 ${body}`);
  });
});

describe('warmUp and close', () => {
  it('opens what is missing, up to the bound', async () => {
    const { server, pool, ask } = await rig(answerAll, { connectionsMax: 3 });
    await ask('a');
    await pool.warmUp(2);
    expect(server.sockets).toHaveLength(2);
    await pool.warmUp(100);
    await pool.warmUp(100);
    expect(server.poolOpenCount).toBe(3);
    expect(server.sockets).toHaveLength(3);
  });

  it('gives up where nobody listens', async () => {
    const { server, pool, ask } = await rig();
    server.refuse();
    await pool.warmUp(3);
    expect(server.counted).toMatchObject({ opened: 0, unreachable: 3 });
    expect(await Promise.all([ask('a'), ask('b')])).toEqual(['not-sent', 'not-sent']);
  });

  it('ends at once with nothing under way, and then sends nothing', async () => {
    const { server, pool, ask } = await rig();
    await pool.warmUp(2);
    await pool.close();
    await pool.close();
    expect(await ask('a')).toBe('not-sent');
    await pool.warmUp(2);
    await turnsUntil(() => server.openCount === 0);
    expect(server.sockets).toHaveLength(2);
    expect(server.counted).toMatchObject({ opened: 2, closed: 2 });
  });

  it('waits for what is under way, to any end', async () => {
    const { kept, onRequest } = keeper();
    const { server, pool, ask } = await rig(onRequest);
    const outcomes = [ask('a'), ask('b'), ask('c', 500)];
    await turnsUntil(() => kept.length === 3);
    const closed = pool.close();
    answerAll(kept.find(it => it.body === 'a')!, 0);
    kept.find(it => it.body === 'b')!.socket.destroy();
    expect(await Promise.all(outcomes)).toEqual(['200 a', 'lost', 'timeout']);
    await closed;
    expect(server.counted).toMatchObject({ opened: 3, closed: 3, lost: 1, timeout: 1 });
  });

  it('loses what is in flight when it is destroyed', async () => {
    const { kept, onRequest } = keeper();
    const { server, pool, ask } = await rig(onRequest, { connectionsMax: 2 });
    const outcomes = [ask('a'), ask('b'), ask('c')];
    await turnsUntil(() => kept.length === 2);
    pool.destroy();
    expect(await Promise.all(outcomes)).toEqual(['lost', 'lost', 'not-sent']);
    await pool.close();
    await turnsUntil(() => server.openCount === 0);
    expect(server.counted).toMatchObject({ opened: 2, closed: 2 });
  });

  it('refuses what is no origin', () => {
    const open = (origin: string) => new HttpOutboundPool({ origin, connectionsMax: 1, idleMs: 1, answerBytesMax: 1 });
    for (const origin of ['ftp://x', 'http://x/path', 'https://user@x', 'x', 'http://x/?q']) {
      expect(() => open(origin)).toThrow(TypeError);
    }
  });
});

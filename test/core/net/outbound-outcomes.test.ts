// The outcomes of requests, compared with the requests that the server saw. No sent request is reported as not sent, nothing is sent twice,
// and an unknown outcome is reported as unknown. At the end ten thousand requests go to a server that breaks at random.

import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { turnsUntil } from '../../support/turns.ts';
import { answerAll, answerText, brief, type OnRequest, post, type SeenRequest, servedPool } from './outbound-rig.ts';

const LONG_MS = 50_000;
/** A timeout that is long enough for a request to arrive on a busy machine. */
const SHORT_MS = 250;
const DRIP_MS = 10;
const SECRET = 'k-5-e-c-r-e-t';

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const end =
  (text: string): OnRequest =>
  ({ socket }) =>
    socket.end(text);
const say =
  (text: string): OnRequest =>
  ({ socket }) =>
    socket.write(text);

describe('lost', () => {
  it.each<[what: string, onRequest: OnRequest]>([
    ['an end instead of an answer', ({ socket }) => socket.end()],
    ['a reset instead of an answer', ({ socket }) => socket.resetAndDestroy()],
    ['an end in the head', end('HTTP/1.1 200 OK\r\nContent-Le')],
    ['an end after an interim answer', end('HTTP/1.1 100 Continue\r\n\r\n')],
    ['an end in the body', end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345')],
    ['an end before the body', end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n')],
    ['an end in a chunk', end(`${chunked}5\r\n123`)],
    ['an end before the last chunk', end(`${chunked}1\r\n1\r\n`)],
    ['an end in the trailers', end(`${chunked}0\r\nA: b\r\n`)],
    ['a reset in a body without length', resetInBody],
    ['garbage', say(`garbage ${SECRET}`)],
    ['both lengths', say(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: ${SECRET}\r\n\r\n`)],
    ['a head too long', say(`HTTP/1.1 200 OK\r\nA: ${SECRET.repeat(limits.outboundHeadBytesMax / 8)}`)],
    ['a body too long', say('HTTP/1.1 200 OK\r\nContent-Length: 4097\r\n\r\n')],
    ['a body of too many chunks', say(`${chunked}${'800\r\n'.concat('x'.repeat(2_048), '\r\n').repeat(3)}`)],
    ['another protocol', say('HTTP/1.1 101 x\r\nConnection: upgrade\r\n\r\n')],
  ])('with %s; the next request has a connection of its own', async (_what, onRequest) => {
    const { server, pool } = await servedPool((request, index) =>
      (index === 0 ? onRequest : answerAll)(request, index),
    );
    const outcome = await pool.request({ ...post('first'), headers: { Authorization: SECRET } }, LONG_MS);
    expect(outcome.type).toBe('lost');
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
    expect(server.counted).toMatchObject({ opened: 1, closed: 1, lost: 1 });
    expect(brief(await pool.request(post('second'), LONG_MS))).toBe('200 second');
    expect(server.requests.map(it => [it.body, it.connection])).toEqual([
      ['first', 0],
      ['second', 1],
    ]);
    await turnsUntil(() => server.openCount === 1);
  });

  it('when the server leaves in the middle of the request', async () => {
    const { server, pool } = await servedPool();
    server.onConnection = socket => socket.once('data', () => socket.resetAndDestroy());
    expect(brief(await pool.request(post('x'.repeat(8 * 1024 * 1024)), LONG_MS))).toBe('lost');
    expect(server.requests).toHaveLength(0);
    expect(server.sockets).toHaveLength(1);
  });
});

describe('timeout', () => {
  it.each<[what: string, onRequest: OnRequest]>([
    ['no answer', () => {}],
    ['half an answer', say('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na')],
    ['a body that never ends', say('HTTP/1.1 200 OK\r\n\r\na')],
    ['an answer that drips', drip],
  ])('with %s, which nobody then takes for another’s', async (_what, onRequest) => {
    const { server, pool } = await servedPool(
      (request, index) => (index === 0 ? onRequest : answerAll)(request, index),
      {
        connectionsMax: 1,
      },
    );
    const first = pool.request(post('first'), SHORT_MS);
    const second = pool.request(post('second'), LONG_MS);
    expect(await first).toMatchObject({ type: 'timeout', message: expect.stringContaining(`${SHORT_MS} ms`) });
    server.requests[0]!.socket.write(answerText('late'));
    expect(brief(await second)).toBe('200 second');
    expect(server.counted).toMatchObject({ timeout: 1, lost: 0, opened: 2 });
    await turnsUntil(() => server.openCount === 1);
  });

  it('when only some of the request has left', async () => {
    const { server, pool } = await servedPool();
    server.onConnection = socket => socket.pause();
    expect(brief(await pool.request(post('x'.repeat(32 * 1024 * 1024)), SHORT_MS))).toBe('timeout');
  });

  it('is not said of an answer that is there when a late loop looks', async () => {
    const { pool } = await servedPool((request, index) => {
      answerAll(request, index);
      const endMs = performance.now() + 2 * SHORT_MS;
      while (performance.now() < endMs);
    });
    await pool.warmUp(1);
    expect(brief(await pool.request(post('x'), SHORT_MS))).toBe('200 x');
  });
});

describe('not-sent', () => {
  it('when all connections are busy until the deadline: the server saw none of it', async () => {
    const kept: SeenRequest[] = [];
    const { server, pool } = await servedPool(request => kept.push(request), { connectionsMax: 1 });
    const first = pool.request(post('first'), LONG_MS);
    await turnsUntil(() => kept.length === 1);
    const { bytesSeen } = server;
    expect(await pool.request(post('second'), SHORT_MS)).toMatchObject({ type: 'not-sent' });
    answerAll(kept[0]!, 0);
    expect(brief(await first)).toBe('200 first');
    expect(server.requests[0]!.head.length + 5).toBe(bytesSeen);
    expect(server.requests.map(it => it.body)).not.toContain('second');
  });

  it('when a connection comes after its time to be sent: the next in line has it', async () => {
    const kept: SeenRequest[] = [];
    const { server, pool } = await servedPool(
      (request, index) => (index === 0 ? kept.push(request) : answerAll(request, index)),
      { connectionsMax: 1 },
    );
    const first = pool.request(post('first'), LONG_MS);
    await turnsUntil(() => kept.length === 1);
    const late = pool.request({ ...post('late'), sendWithinMs: 0 }, LONG_MS);
    const patient = pool.request({ ...post('patient'), sendWithinMs: LONG_MS }, LONG_MS);
    answerAll(kept[0]!, 0);
    expect(await late).toEqual({ type: 'not-sent', message: 'no connection in time' });
    expect([brief(await first), brief(await patient)]).toEqual(['200 first', '200 patient']);
    expect(server.requests.map(it => it.body)).toEqual(['first', 'patient']);
  });

  it('when nobody listens, at once', async () => {
    const { server, pool } = await servedPool();
    server.refuse();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => pool.request(post('x'), LONG_MS)));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ type: 'not-sent', message: expect.stringContaining('ECONNREFUSED') });
    }
  });

  it('is not said while another connection may come free', async () => {
    const kept: SeenRequest[] = [];
    const { server, pool } = await servedPool((request, index) =>
      index === 0 ? kept.push(request) : answerAll(request, index),
    );
    const first = pool.request(post('first'), LONG_MS);
    await turnsUntil(() => kept.length === 1);
    server.refuse();
    const second = pool.request(post('second'), LONG_MS);
    await turnsUntil(() => server.counted.unreachable === 1);
    answerAll(kept[0]!, 0);
    expect([brief(await first), brief(await second)]).toEqual(['200 first', '200 second']);
  });
});

describe('ten thousand requests over connections that break', () => {
  it.each([1, 2])('are accounted for, each sent at most once (seed %d)', async seed => {
    const random = mulberry32(seed);
    const { server, pool } = await servedPool(breakAtRandom(random), { connectionsMax: 8 });
    const sent = 10_000;
    const outcomes = new Map<string, string>();
    let next = 0;
    const caller = async (): Promise<void> => {
      for (let id = next++; id < sent; id = next++) {
        const outcome = await pool.request(post(`id-${id}`), LONG_MS);
        outcomes.set(`id-${id}`, brief(outcome));
        if (id % 64 === 0) await new Promise(resolve => setImmediate(resolve));
      }
    };
    await Promise.all(Array.from({ length: 24 }, caller));

    const seen = new Map<string, number>();
    for (const { body } of server.requests) seen.set(body, (seen.get(body) ?? 0) + 1);
    expect(Math.max(...seen.values())).toBe(1);
    const count = { answer: 0, lost: 0, 'not-sent': 0 };
    for (const [id, outcome] of outcomes) {
      if (outcome === `200 ${id}`) count.answer += 1;
      else if (outcome === 'lost' || outcome === 'not-sent') count[outcome] += 1;
      if (outcome === `200 ${id}`) expect(seen.has(id)).toBe(true);
      if (outcome === 'not-sent') expect(seen.has(id)).toBe(false);
    }
    expect(count.answer + count.lost + count['not-sent']).toBe(sent);
    expect(count.answer).toBeGreaterThan(sent / 2);
    expect(count.lost).toBeGreaterThan(sent / 100);
    expect(server.counted).toMatchObject({ lost: count.lost, timeout: 0 });
    expect(server.poolOpenCount).toBeLessThanOrEqual(8);
    await turnsUntil(() => server.openCount === server.poolOpenCount);
  });
});

function breakAtRandom(random: () => number): OnRequest {
  return ({ socket, body }) => {
    const answer = answerText(body);
    const breaks: readonly ((socket: Socket) => void)[] = [
      it => it.end(),
      it => it.resetAndDestroy(),
      it => it.end(answer),
      it => it.end(answer.subarray(0, Math.floor(random() * answer.length))),
      it => it.write(answer, () => it.resetAndDestroy()),
      it => it.write(answer, () => setImmediate(() => it.end())),
      it => it.write(Buffer.concat([answer, answer])),
    ];
    const pick = Math.floor(random() * breaks.length * 8);
    const act = breaks[pick];
    if (act !== undefined) act(socket);
    else if (pick % 5 === 0) setImmediate(() => socket.write(answer));
    else socket.write(answer);
  };
}

/**
 * Resets the connection within a body, some turns after its bytes. libuv reports a reset that comes together with bytes as an end (see
 * http-answer-head.ts).
 */
function resetInBody({ socket }: SeenRequest): void {
  const reset = (turns: number): void => {
    if (turns === 0) socket.resetAndDestroy();
    else setImmediate(reset, turns - 1);
  };
  socket.write('HTTP/1.1 200 OK\r\n\r\nsome', () => reset(8));
}

/**
 * Sends bytes now and then without an end, so that the answer is never silent and never complete. It never exceeds the bound of an answer.
 */
function drip({ socket }: SeenRequest): void {
  const more = (): void => {
    if (socket.writable) socket.write('x', () => setTimeout(more, DRIP_MS));
  };
  socket.write('HTTP/1.1 200 OK\r\n\r\n');
  more();
}

/** Returns a small random generator. The same seed gives the same run every time. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Headers that the pool computes as a request leaves.

import { afterEach, expect, it } from 'vitest';
import type { OutboundRequest } from '../../src/net/outbound.ts';
import { turnsUntil } from '../support/turns.ts';
import { answerAll, brief, type OnRequest, post, ScriptedServer, type SeenRequest } from './outbound-rig.ts';

const LONG_MS = 50_000;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** One connection. */
async function rig(onRequest: OnRequest) {
  const server = await ScriptedServer.start(onRequest);
  const pool = server.pool({ connectionsMax: 1 });
  closers.push(
    () => server.close(),
    () => pool.close(),
  );
  return { server, pool };
}

it('a request that waits for a connection has the headers of the moment at which it leaves', async () => {
  const kept: SeenRequest[] = [];
  const { server, pool } = await rig(request => kept.push(request));
  const asked: string[] = [];
  const dated = (body: string): OutboundRequest => {
    const headers = () => {
      asked.push(body);
      return { 'X-Number': String(asked.length) };
    };
    return { ...post(body), headers };
  };
  const answers = ['a', 'b'].map(body => pool.request(dated(body), LONG_MS));
  await turnsUntil(() => kept.length === 1);
  expect(asked).toEqual(['a']);
  answerAll(kept[0]!, 0);
  await turnsUntil(() => kept.length === 2);
  answerAll(kept[1]!, 1);
  expect((await Promise.all(answers)).map(brief)).toEqual(['200 a', '200 b']);
  expect(asked).toEqual(['a', 'b']);
  expect(server.requests.map(it => /X-Number: (\d)/.exec(it.head)?.[1])).toEqual(['1', '2']);
});

it('a request whose headers cannot be sent is not sent, and the next one is', async () => {
  const { server, pool } = await rig(answerAll);
  const bad = pool.request({ ...post('bad'), headers: () => ({ A: 'b\nC: d' }) }, LONG_MS);
  const next = pool.request(post('next'), LONG_MS);
  expect(await bad).toMatchObject({ type: 'not-sent', message: 'header A is not printable ASCII' });
  expect(brief(await next)).toBe('200 next');
  expect(server.requests.map(it => it.body)).toEqual(['next']);
});

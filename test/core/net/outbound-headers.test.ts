// Headers that the pool computes as a request leaves.

import { expect, it } from 'vitest';
import type { OutboundRequest } from '../../../src/core/net/outbound.ts';
import { turnsUntil } from '../../support/turns.ts';
import { answerAll, brief, post, type SeenRequest, servedPool } from './outbound-rig.ts';

const LONG_MS = 50_000;

it('a request that waits for a connection has the headers of the moment at which it leaves', async () => {
  const kept: SeenRequest[] = [];
  const { server, pool } = await servedPool(request => kept.push(request), { connectionsMax: 1 });
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
  const { server, pool } = await servedPool(answerAll, { connectionsMax: 1 });
  const bad = pool.request({ ...post('bad'), headers: () => ({ A: 'b\nC: d' }) }, LONG_MS);
  const next = pool.request(post('next'), LONG_MS);
  expect(await bad).toMatchObject({ type: 'not-sent', message: 'header A is not printable ASCII' });
  expect(brief(await next)).toBe('200 next');
  expect(server.requests.map(it => it.body)).toEqual(['next']);
});

// Addresses of a host while the look-up of names hangs, as on a frozen disk, or fails.

import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { NameMemory } from '../../../src/core/net/name-memory.ts';
import { hangThreads } from '../../support/hanging-threads.ts';
import { testFolder } from '../../support/test-folder.ts';
import { turnsUntil } from '../../support/turns.ts';
import { brief, post, servedPool } from './outbound-rig.ts';

const LONG_MS = 50_000;

function hang(): void {
  const folder = testFolder();
  const goOn = hangThreads(folder);
  onTestFinished(() => goOn());
}

it('4010: a new connection to a known host opens while look-ups hang', async () => {
  const { server, pool: own } = await servedPool();
  await own.close();
  const pool = server.pool({ origin: `http://localhost:${server.port}` });
  onTestFinished(() => pool.close());
  expect(brief(await pool.request(post('1'), LONG_MS))).toBe('200 1');
  server.sockets.at(-1)!.destroy();
  await turnsUntil(() => server.poolOpenCount === 0);
  hang();
  expect(brief(await pool.request(post('2'), LONG_MS))).toBe('200 2');
  expect(server.requests.at(-1)!.connection).toBeGreaterThan(server.requests[0]!.connection);
});

it('4010: the answer has the form that was asked for, and a host without one is refused in words', async () => {
  const names = new NameMemory();
  const found = promisify<string, object, unknown>(names.lookup as never);
  expect(await found('localhost', { all: true, family: 4 })).toEqual([{ address: '127.0.0.1', family: 4 }]);
  expect(await found('localhost', { family: 4 })).toBe('127.0.0.1');
  await expect(new Promise((_, reject) => new NameMemory().lookup('name.invalid', {}, reject))).rejects.toThrow(
    'name.invalid',
  );
});

// Addresses are proven free before anything else is done, and left free.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { assertFree } from '../../../src/core/net/free-addresses.ts';
import { ListenError, listen } from '../../../src/core/net/listen.ts';

const HOST = '127.0.0.1';
const folder = mkdtempSync(join(tmpdir(), 'crossbook-free-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('4040: addresses', () => {
  it('that are free stay free', async () => {
    const unixSocketPath = join(folder, 'free.sock');
    const taken = await listen({ host: HOST, port: 0, http: [], sockets: [] });
    const { port } = taken;
    taken.close();
    await assertFree([{ host: HOST, port, unixSocketPath }]);
    expect(existsSync(unixSocketPath)).toBe(false);
    const later = await listen({ host: HOST, port, unixSocketPath, http: [], sockets: [] });
    later.close();
  });

  it('that are taken are named, each as its setting is', async () => {
    const unixSocketPath = join(folder, 'taken.sock');
    const taken = await listen({ host: HOST, port: 0, unixSocketPath, http: [], sockets: [] });
    const faults = { address: 'tradeAddress', unixSocketPath: 'tradeSocketPath' } as const;
    const ofPort = assertFree([
      { host: HOST, port: 0 },
      { host: HOST, port: taken.port, faults },
    ]);
    await expect(ofPort).rejects.toThrow(ListenError);
    await expect(ofPort).rejects.toMatchObject({ of: 'tradeAddress', port: taken.port });
    await expect(assertFree([{ host: HOST, port: null, unixSocketPath, faults }])).rejects.toMatchObject({
      of: 'tradeSocketPath',
    });
    taken.close();
  });
});

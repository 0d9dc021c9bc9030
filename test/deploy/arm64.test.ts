// Linux on arm64, in an emulator (arm64-root). The gateway starts there, and fills an order at each paper exchange. The unit tests of the hot code
// pass. An emulator keeps the order of reads of this machine, so it cannot show what a reader of books may see on a real arm64.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { steadyPort } from '../soak/steady-port.ts';
import { START_FLAGS } from '../support/child-process.ts';
import { lacks } from '../support/debian-packages.ts';
import { eventually, PATIENCE_MS } from '../support/eventually.ts';
import { endWithUs } from '../support/reaped.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

/** The code that an order, a change of a book and their messages run through, as far as its tests take seconds in the emulator. */
const HOT = `
  test/core/auth/{canonical,check,keyring,signing-vectors}.test.ts
  test/core/domain/{order,order-sums}.test.ts
  test/core/wire/{json,json-body,order-views,protobuf}.test.ts
  test/gateway/stream/{books,venue-stream}.test.ts
  test/market-data/book/{checksum,derive-no,ladder,ladder-bitmap,live-books,tape}.test.ts
  test/venues/venue-a/order-signing.test.ts
  test/venues/venue-b/frame-scanner.test.ts`;

const STARTS_MAX = 12;
/** It must only end what would never end: on two idle cores each part takes two minutes. */
const LONGEST_MS = 2 * STARTS_MAX * PATIENCE_MS;

describe.skipIf(lacks('mmdebstrap', 'g++-aarch64-linux-gnu') || process.getuid?.() !== 0)('on arm64', () => {
  const folder = temporaryFolder();
  const [installation, app] = [join(folder, 'arm64'), join(folder, 'arm64/app')];
  afterAll(() => removeFolder(folder));
  let port: number;

  beforeAll(async () => {
    const { status, stderr } = spawnSync('test/deploy/arm64-root', [installation], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, stderr]);
    port = await steadyPort();
  }, LONGEST_MS);

  const program = () => join(installation, 'node');
  const env = () => ({
    PATH: process.env.PATH,
    CROSSBOOK_WARM_UP: 'off',
    CROSSBOOK_PORT: String(port),
    CROSSBOOK_DATA_DIR: join(folder, 'data'),
  });

  it(
    'the gateway starts, and fills a signed order at each paper exchange',
    async () => {
      const gateway = spawn(program(), [...START_FLAGS, 'src/main.ts'], { cwd: app, env: env(), stdio: 'ignore' });
      endWithUs(gateway);
      const closed = once(gateway, 'close');
      const crossbook = (...args: readonly string[]): string =>
        spawnSync(program(), [...START_FLAGS, 'src/tools/cli/crossbook.ts', ...args], {
          cwd: app,
          env: env(),
          encoding: 'utf8',
        }).stdout;
      // The start takes minutes where two cores are shared.
      await patiently(async () => expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200));
      for (const [venue, market, terms] of [
        ['venue_a', /venue_a {2}(\d+)$/m, 'buy 10 --market-order'],
        ['venue_b', /venue_b {2}(KX\S+)/, 'buy-yes 10 --price 0.99 --time-in-force IOC'],
      ] as const) {
        const found = await patiently(() => {
          const [, id] = market.exec(crossbook('markets', '--venue', venue, '--executable', '--count', '1')) ?? [];
          expect(id).toBeDefined();
          return id!;
        });
        // On a slow machine the guard may cancel an order.
        await patiently(async () => {
          const [id = ''] = crossbook('order', 'submit', found, ...terms.split(' ')).split(' ');
          await eventually(() => expect(crossbook('order', 'get', id)).toMatch(/^status +FILLED$/m));
        });
      }
      gateway.kill('SIGTERM');
      expect((await closed)[0]).toBe(0);
    },
    LONGEST_MS,
  );

  it(
    'the tests of the hot code pass',
    () => {
      const command = `exec "$0" node_modules/vitest/vitest.mjs run --maxWorkers 2 ${HOT.replaceAll('\n', ' ')}`;
      const { status, stdout } = spawnSync('bash', ['-c', command, program()], { cwd: app, encoding: 'utf8' });
      expect(status, stdout).toBe(0);
    },
    LONGEST_MS,
  );
});

/** `eventually`, as often as a busy machine needs for a start in an emulator. */
async function patiently<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  for (let left = STARTS_MAX; ; left--) {
    try {
      return await eventually(check);
    } catch (error) {
      if (left === 0) throw error;
    }
  }
}

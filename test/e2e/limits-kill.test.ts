// The audit log of a gateway that is killed. Its limits change before the kill, while the gateway is down, and after the restart.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { limitsCommand } from '../../src/tools/cli/limits.ts';
import { GatewayProcess } from '../soak/gateway-process.ts';
import { PaperProcess } from '../soak/paper-process.ts';
import { steadyPort } from '../soak/steady-port.ts';
import { eventually } from '../support/eventually.ts';

let folder: string;
let paper: PaperProcess;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'crossbook-limits-'));
  paper = await PaperProcess.start({ folder, seed: 1, intensity: 0 });
});
afterAll(async () => {
  await paper.end();
  rmSync(folder, { recursive: true });
});

type Line = { readonly step: string; readonly scope: string; readonly changes: unknown };

it('names each change of a limit once, also over kill -9', async () => {
  const path = join(folder, 'audit.log');
  const gateway = new GatewayProcess({
    ...{ folder, paper, port: await steadyPort(), durability: 'process-safe' },
    environment: { CROSSBOOK_AUDIT_LOG: path },
  });
  await gateway.makeActors();
  const set = (...args: string[]) =>
    limitsCommand(['set', '--data-dir', gateway.dataDir, ...args], { out: () => {}, err: () => {}, env: {} });
  const seen = (...changes: object[]) =>
    eventually(() => {
      const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
      const said = lines.map(line => JSON.parse(line) as Line).filter(({ step }) => step === 'limit-change');
      expect(said.map(({ scope, changes: its }) => ({ scope, changes: its }))).toEqual(changes);
    });
  await gateway.start();
  expect(await set('--pod', 'desk', '--actor', 'alice', '--position-max', '1000')).toBe(0);
  const first = { scope: 'desk/alice', changes: [{ limit: 'positionMax', from: null, to: '1000' }] };
  await seen(first);
  await gateway.kill();
  expect(await set('--pod', 'desk', '--actor', 'alice', '--position-max', 'none')).toBe(0);
  await gateway.start();
  const second = { scope: 'desk/alice', changes: [{ limit: 'positionMax', from: '1000', to: null }] };
  await seen(first, second);
  expect(await set('--pod', 'desk', '--exposure-max', '250')).toBe(0);
  await seen(first, second, { scope: 'desk', changes: [{ limit: 'exposureMax', from: null, to: '250' }] });
  await gateway.end();
});

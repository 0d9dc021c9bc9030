// A row that fails, on real processes: it ends before it is reported, its fault strikes no more, and none of its gateways remains. So later rows, and
// the disk under its folder, are not affected.

import { existsSync, rmSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { Attempt } from '../soak/gateway-process.ts';
import { campaign } from './campaign.ts';
import type { Row } from './row.ts';
import type { Scene } from './scene.ts';

let scene: Scene | null = null;
afterEach(() => rmSync(scene!.stage.folder, { recursive: true }));

async function wrongOf(strike: (scene: Scene) => Promise<unknown>): Promise<readonly string[]> {
  const begun = async (at: Scene): Promise<unknown> => {
    scene = at;
    return strike(at);
  };
  const row: Row = { group: 'of a test', fault: 'fails', strike: begun, setting: {} };
  const [outcome] = await campaign({ rows: [row], seed: 1, lanes: 1, onPlayed: () => {} });
  return outcome!.wrong;
}

describe('a row that fails', () => {
  it('strikes no more, and its folder stays until it knows', async () => {
    const heard: string[] = [];
    const wrong = await wrongOf(async at => {
      const { gateway, folder } = at.stage;
      await at.begun(3);
      process.kill(gateway.pid, 'SIGKILL');
      await at.begun(1_000).catch(() => heard.push('no orders'));
      await gateway.attempt().catch(() => heard.push('no gateway'));
      heard.push(existsSync(folder) ? 'its folder' : 'nothing');
    });
    expect(wrong).toEqual([expect.stringContaining('ended by itself, with SIGKILL')]);
    expect(heard).toEqual(['no orders', 'no gateway', 'its folder']);
  });

  it('leaves no process, also none that it was still starting', async () => {
    let starting: Promise<Attempt> | null = null;
    const wrong = await wrongOf(async ({ stage: { gateway } }) => {
      await gateway.stop();
      starting = gateway.attempt();
      throw new Error('it had to fail');
    });
    expect(wrong).toEqual(['it did not come to an end: it had to fail']);
    expect(await starting).toMatchObject({ isUp: false, code: null });
  });

  it('reports what failed first', async () => {
    const wrong = await wrongOf(async at => {
      await at.begun(3);
      for (const trader of at.traders) trader.trade = () => Promise.reject(new Error('trading failed'));
      await at.whenOver();
    });
    expect(wrong).toEqual(['it did not come to an end: trading failed']);
  });
});

// The stage of the rows: paper exchanges and a gateway in processes of their own, wires between them, and followers of the orders.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeClient, nodeSigner } from '../../src/tools/client/node-client.ts';
import { Follower } from '../soak/follower.ts';
import { type Actor, GatewayProcess } from '../soak/gateway-process.ts';
import { marketsToTrade, type SoakMarket } from '../soak/markets.ts';
import { PaperProcess } from '../soak/paper-process.ts';
import { untilQuiet } from '../soak/quiet.ts';
import { steadyPort } from '../soak/steady-port.ts';
import { Cables } from './cables.ts';
import type { Setting } from './row.ts';
import { mountDisk } from './small-disk.ts';
import { INSPECTABLE } from './threads.ts';

/** A factor on the recorded pace of the flow. */
const INTENSITY = 0.5;
const TRADABLE_MS = 60_000;

export class Stage {
  readonly folder: string;
  readonly paper: PaperProcess;
  readonly cables: Cables;
  readonly gateway: GatewayProcess;
  readonly actors: readonly Actor[];
  readonly markets: readonly SoakMarket[];
  readonly followers: readonly Follower[];
  readonly #unmount: () => void;

  private constructor(parts: Omit<Stage, 'close' | 'open'>, unmount: () => void) {
    this.folder = parts.folder;
    this.paper = parts.paper;
    this.cables = parts.cables;
    this.gateway = parts.gateway;
    this.actors = parts.actors;
    this.markets = parts.markets;
    this.followers = parts.followers;
    this.#unmount = unmount;
  }

  /** Builds the stage without a started gateway. The followers of its orders are there already. */
  static async build(setting: Setting, seed: number): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'crossbook-faults-'));
    const { diskBytes, nodeArgs = [], environment = {} } = setting;
    const paper = await PaperProcess.start({ folder, seed, intensity: INTENSITY });
    const cables = await Cables.lay(paper.urls);
    const dataDir = join(folder, 'gateway');
    mkdirSync(dataDir, { mode: 0o700 });
    const unmount = diskBytes === undefined ? () => {} : mountDisk(dataDir, diskBytes);
    const gateway = new GatewayProcess({
      ...{ folder, port: await steadyPort(), durability: 'process-safe' },
      paper: { urls: cables.urls, pods: (await setting.pods?.(paper)) ?? paper.pods },
      nodeArgs: [...INSPECTABLE, ...nodeArgs],
      environment: { ...environment, FAULTS_FOLDER: folder },
    });
    const [actors, markets] = await Promise.all([gateway.makeActors(), marketsToTrade(paper.urls)]);
    const followers = actors.map(actor => new Follower(gateway.url, actor));
    return new Stage({ folder, paper, cables, gateway, actors, markets, followers }, unmount);
  }

  /** Resolves when the gateway trades at both venues. */
  async open(): Promise<void> {
    await this.gateway.start();
    const { key } = this.actors[0]!;
    const client = createNodeClient({ url: this.gateway.url, signer: nodeSigner(key) });
    const complaints = await untilQuiet(TRADABLE_MS, async () => {
      const answer = await client.call('getWhoami');
      return answer.ok && answer.value.value.venues.every(({ tradable }) => tradable) ? [] : ['it does not trade'];
    });
    if (complaints.length > 0) throw new Error(complaints.join());
  }

  /** Resolves when all processes have ended. */
  async close(isKept: boolean): Promise<void> {
    for (const follower of this.followers) follower.close();
    await this.gateway.end();
    await this.paper.end();
    this.cables.close();
    this.#unmount();
    if (isKept) console.log(`kept: ${this.folder}`);
    else rmSync(this.folder, { recursive: true });
  }
}

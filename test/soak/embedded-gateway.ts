// The gateway as `npm start` runs it, the paper exchanges on a thread of its own process, with the actor that its first start makes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OwnProcess } from '../support/child-process.ts';
import { ask } from '../support/paper-traders.ts';
import type { Actor } from './gateway-process.ts';
import type { PaperProcess } from './paper-process.ts';

interface EmbeddedGatewayOptions {
  readonly folder: string;
  readonly port: number;
  /** The arguments of Node before the program. */
  readonly nodeArgs: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export class EmbeddedGateway {
  readonly url: string;
  readonly actor: Actor;
  readonly urls: PaperProcess['urls'];
  /** Rejects with the last output when the gateway ends without a request. */
  readonly failed: Promise<never>;
  readonly #child: OwnProcess;

  private constructor(child: OwnProcess, url: string, actor: Actor, urls: PaperProcess['urls']) {
    this.#child = child;
    this.url = url;
    this.actor = actor;
    this.urls = urls;
    this.failed = child.ended.then(code => {
      throw new Error(`the gateway has ended by itself, with ${code ?? child.endedBy}: ${child.stderr}`);
    });
    // Code that waits for other lines must not see this rejection.
    this.failed.catch(() => {});
  }

  /** Resolves when the gateway listens. */
  static async start({ folder, port, nodeArgs, environment }: EmbeddedGatewayOptions): Promise<EmbeddedGateway> {
    const dataDir = join(folder, 'gateway');
    const settings = { ...environment, CROSSBOOK_DATA_DIR: dataDir, CROSSBOOK_PORT: String(port) };
    const child = new OwnProcess([...nodeArgs, 'src/main.ts'], settings);
    const [, controlUrl = ''] = await child.said(/^crossbook listening on .*control (\S+)\)$/m);
    const { urls } = (await ask<Pick<PaperProcess, 'urls'>>(controlUrl)).body;
    const key = JSON.parse(readFileSync(join(dataDir, 'demo/key.json'), 'utf8')) as Actor['key'];
    return new EmbeddedGateway(child, `http://127.0.0.1:${port}`, { podId: 'demo', actorId: 'demo/demo', key }, urls);
  }

  get pid(): number {
    return this.#child.pid;
  }

  async stop(): Promise<void> {
    this.#child.signal('SIGTERM');
    await this.#child.ended;
  }
}

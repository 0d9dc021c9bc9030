// A NATS server with JetStream, from Debian's package nats-server, on a free loopback port, with a folder that outlives its kills. The
// server can be killed, held (its port is open, but the server does not answer) and started again at the same address.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { steadyPort } from '../soak/steady-port.ts';
import { lacks } from './debian-packages.ts';
import { endWithUs } from './reaped.ts';

/** The condition for `describe.skipIf`. */
export const lacksNats = lacks('nats-server');

const STARTED_MS = 60_000;
const ASK_AGAIN_MS = 20;

interface NatsServerOptions {
  /** The most that JetStream may store, in bytes. */
  readonly storeBytesMax?: number;
  /** The folder of the server's store. The default is a new folder of the server. */
  readonly storeFolder?: string;
  /** The longest message that the server takes. */
  readonly payloadBytesMax?: number;
  /** The subjects to which nobody may publish or subscribe. */
  readonly denied?: string;
}

export class NatsServer {
  readonly port: number;
  readonly #folder: string;
  readonly #storeFolder: string;
  readonly #options: NatsServerOptions;
  #child: ChildProcess | null = null;

  static async start(options: NatsServerOptions = {}): Promise<NatsServer> {
    const server = new NatsServer(await steadyPort(), options);
    await server.restart();
    return server;
  }

  private constructor(port: number, options: NatsServerOptions) {
    this.port = port;
    this.#options = options;
    this.#folder = mkdtempSync(join(tmpdir(), 'crossbook-nats-'));
    this.#storeFolder = options.storeFolder ?? join(this.#folder, 'store');
  }

  get url(): string {
    return `nats://127.0.0.1:${this.port}`;
  }

  get settings() {
    return { servers: [this.url], credentials: null };
  }

  /** Starts the server again after a kill. Resolves when the server answers. */
  async restart(): Promise<void> {
    const { storeBytesMax, payloadBytesMax, denied } = this.#options;
    const config = join(this.#folder, 'nats.conf');
    const bound = storeBytesMax === undefined ? '' : `max_file_store: ${storeBytesMax}`;
    const payload = payloadBytesMax === undefined ? '' : `max_payload: ${payloadBytesMax}\n`;
    const deny = `{ deny: "${denied}" }`;
    const user = `{ user: any, password: any, permissions: { publish: ${deny}, subscribe: ${deny} } }`;
    const access = denied === undefined ? '' : `no_auth_user: any\nauthorization { users: [${user}] }\n`;
    writeFileSync(
      config,
      `listen: "127.0.0.1:${this.port}"\n${payload}${access}jetstream { store_dir: "${this.#storeFolder}"\n${bound} }\n`,
    );
    const child = spawn('nats-server', ['-c', config], { stdio: 'ignore' });
    endWithUs(child);
    this.#child = child;
    await this.#listening();
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null || child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  }

  /** Stops the server's process, so that the server takes connections and bytes but answers nothing until `goOn`. */
  async hold(): Promise<void> {
    const child = this.#child!;
    child.kill('SIGSTOP');
    // The server may answer until the system has stopped it.
    while (!/^State:\tT/m.test(readFileSync(`/proc/${child.pid}/status`, 'latin1'))) await setTimeout(1);
  }

  goOn(): void {
    this.#child?.kill('SIGCONT');
  }

  async close(): Promise<void> {
    this.goOn();
    await this.kill();
    rmSync(this.#folder, { recursive: true });
  }

  /** Waits without the tests’ `eventually`, because benchmarks start the server, too. */
  async #listening(): Promise<void> {
    for (const deadline = Date.now() + STARTED_MS; ; ) {
      const isThere = await this.#greets().catch(() => false);
      if (isThere) return;
      if (Date.now() > deadline) throw new Error(`nats-server does not answer on port ${this.port}`);
      await setTimeout(ASK_AGAIN_MS);
    }
  }

  async #greets(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1');
    try {
      await once(socket, 'data');
      return true;
    } finally {
      socket.destroy();
    }
  }
}

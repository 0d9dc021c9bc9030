// The gateway's own process on the paper exchanges, with its data directory, pods file and keys. It is started, killed, and started again.
// The command line's own command reads its order store.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Durability } from '../../src/config.ts';
import type { LogLevel } from '../../src/core/runtime/log.ts';
import { keysCommand } from '../../src/tools/cli/keys.ts';
import { podsCommand } from '../../src/tools/cli/pods.ts';
import { storeCommand } from '../../src/tools/cli/store.ts';
import { OwnProcess } from '../support/child-process.ts';
import type { TestKey } from '../support/signed-requests.ts';
import type { PaperProcess, PodAccount } from './paper-process.ts';

/** An actor that trades. The two actors of a pod share the pod's accounts. */
export interface Actor {
  readonly podId: string;
  /** The actor id with its pod, as in the store. */
  readonly actorId: string;
  readonly key: TestKey;
}

const ACTORS = [
  ['desk', 'alice'],
  ['desk', 'bob'],
  ['fund', 'carol'],
] as const;
const LISTENING = /^crossbook listening on /;

type Command = typeof storeCommand;

interface LogLine {
  readonly level: string;
  readonly event: string;
  /** The kind of a divergence. */
  readonly kind?: string;
  readonly line: string;
}

interface GatewayProcessOptions {
  readonly folder: string;
  readonly paper: Pick<PaperProcess, 'urls' | 'pods'>;
  readonly port: number;
  readonly durability: Durability;
  /** The log level; `info` by default. */
  readonly logLevel?: LogLevel;
  /** The arguments of Node before the program. */
  readonly nodeArgs?: readonly string[];
  /** Whether the gateway has no accounts, so that nobody can trade. */
  readonly hasNoPods?: boolean;
  /** The settings in addition to those that are made here. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The result of a start that may fail. */
export type Attempt =
  | { readonly isUp: true }
  | { readonly isUp: false; readonly code: number | null; readonly complaint: string };

export class GatewayProcess {
  readonly dataDir: string;
  readonly #options: GatewayProcessOptions;
  #pods: readonly PodAccount[];
  #child: OwnProcess | null = null;
  /** The process that is expected to end by a fault. */
  #struck: OwnProcess | null = null;
  /** All running processes, of any purpose. */
  readonly #running = new Set<OwnProcess>();
  #isOver = false;
  #logs = '';
  readonly #failed = Promise.withResolvers<never>();

  constructor(options: GatewayProcessOptions) {
    this.#options = options;
    this.#pods = options.paper.pods;
    this.dataDir = join(options.folder, 'gateway');
    mkdirSync(this.dataDir, { mode: 0o700, recursive: true });
    // Code that waits for other lines must not see this rejection.
    this.#failed.promise.catch(() => {});
  }

  get url(): string {
    return `http://127.0.0.1:${this.#options.port}`;
  }

  /** The process id of the current run. */
  get pid(): number {
    return this.#child!.pid;
  }

  /** The text on standard error in the current run. */
  get complaints(): string {
    return this.#child!.stderr;
  }

  /** Sets the pods with which the gateway trades from the next start on. */
  usePods(pods: readonly PodAccount[]): void {
    this.#pods = pods;
  }

  /** The log lines of all runs. */
  get logs(): readonly LogLine[] {
    return (this.#logs + (this.#child?.stderr ?? ''))
      .split('\n')
      .filter(line => line.startsWith('{') && line.endsWith('}'))
      .map(line => ({ ...JSON.parse(line), line }));
  }

  /** Creates the actors, before the first start. */
  async makeActors(): Promise<readonly Actor[]> {
    for (const podId of new Set(ACTORS.map(([pod]) => pod))) await this.#run(podsCommand, 'create', podId);
    const actors: Actor[] = [];
    for (const [podId, name] of ACTORS) {
      const file = join(this.dataDir, `${name}.json`);
      await this.#run(podsCommand, 'add-actor', podId, name);
      await this.#run(keysCommand, 'create', '--actor', name, '--pod', podId, '--scopes', 'read,trade', '--out', file);
      actors.push({ podId, actorId: `${podId}/${name}`, key: JSON.parse(readFileSync(file, 'utf8')) });
    }
    return actors;
  }

  /** Resolves when the gateway listens. */
  async start(): Promise<void> {
    await this.begin().said(LISTENING);
  }

  /** Starts the gateway as `start` does, but does not wait: a kill may come before it listens. */
  begin(): OwnProcess {
    const child = this.#spawn(this.#options.port);
    this.#adopt(child);
    return child;
  }

  /** Starts the gateway; the start may be refused. */
  async attempt(): Promise<Attempt> {
    const child = this.#spawn(this.#options.port);
    const outcome = await outcomeOf(child);
    if (outcome.isUp) this.#adopt(child);
    else this.#keepLogs(child);
    return outcome;
  }

  /** Starts a second gateway on the same data directory, and ends it after its result. */
  async second(): Promise<Attempt> {
    const child = this.#spawn(0);
    const outcome = await outcomeOf(child);
    child.signal('SIGKILL');
    return outcome;
  }

  /** Rejects with the last output when the gateway ends without a request. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Resolves when the gateway has ended because of `strike`. */
  async endedBy(strike: () => Promise<unknown>): Promise<void> {
    const child = this.#child!;
    this.#struck = child;
    await strike();
    await child.ended;
    this.#child = null;
    this.#keepLogs(child);
  }

  /** Stops the gateway as an operator would. Returns its exit code. */
  stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  /** Kills all of its processes. Afterwards no process is started, and the store is not read. */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.kill();
    for (const child of this.#running) child.signal('SIGKILL');
    await Promise.all([...this.#running].map(({ ended }) => ended));
  }

  /** Returns orders, fills and positions, parsed; an empty list while the history of a busy machine has no records yet. */
  async export(): Promise<readonly unknown[]> {
    const text = await this.#run(storeCommand, 'export');
    const lines = text.split('\n').filter(line => line !== '');
    return lines.map(line => JSON.parse(line));
  }

  /** Checks the store. Throws with the faults of the store. */
  async check(): Promise<void> {
    await this.#run(storeCommand, 'check');
  }

  /** Compacts the store while the gateway is down. Throws if this fails. */
  async compact(): Promise<void> {
    await this.#run(storeCommand, 'compact');
  }

  #spawn(port: number): OwnProcess {
    if (this.#isOver) throw new Error('no gateway is started any more');
    const { nodeArgs = [], environment = {} } = this.#options;
    const settings = { ...this.#settings(), CROSSBOOK_PORT: String(port), ...environment };
    const child = new OwnProcess([...nodeArgs, 'src/main.ts'], settings);
    this.#running.add(child);
    void child.ended.then(() => this.#running.delete(child));
    return child;
  }

  #settings(): Readonly<Record<string, string>> {
    const { paper, durability, logLevel = 'info', hasNoPods = false } = this.#options;
    const { urls } = paper;
    const { keyId, privateKeyPem } = this.#pods[0]!.accounts.venueB.keys[0]!;
    return {
      CROSSBOOK_DATA_DIR: this.dataDir,
      CROSSBOOK_DURABILITY: durability,
      CROSSBOOK_LOG: logLevel,
      ...(hasNoPods ? {} : { CROSSBOOK_PODS_FILE: this.#writePods(urls) }),
      CROSSBOOK_VENUE_A_REST_URL: urls['venue_a rest'],
      CROSSBOOK_VENUE_A_STREAM_URL: urls['venue_a marketStream'],
      CROSSBOOK_VENUE_A_GAMMA_URL: urls['venue_a gamma'],
      CROSSBOOK_VENUE_B_REST_URL: urls['venue_b rest'],
      CROSSBOOK_VENUE_B_STREAM_URL: urls['venue_b stream'],
      CROSSBOOK_VENUE_B_KEY_ID: keyId,
      CROSSBOOK_VENUE_B_KEY_FILE: this.#write('venue-b.pem', privateKeyPem),
    };
  }

  #writePods(urls: PaperProcess['urls']): string {
    return this.#write('pods.json', JSON.stringify({ pods: this.#pods.map(pod => podLine(pod, urls)) }));
  }

  /** Writes a file beside the data directory, since the disk of that may be full. Returns the path. */
  #write(name: string, text: string): string {
    const path = join(this.#options.folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  }

  #adopt(child: OwnProcess): void {
    this.#child = child;
    void child.ended.then(code => {
      if (this.#child === child && this.#struck !== child) this.#failed.reject(new Error(endedByItself(code, child)));
    });
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (child === null) return null;
    this.#child = null;
    child.signal(signal);
    const code = await child.ended;
    if (signal === 'SIGKILL' && code !== null) this.#failed.reject(new Error(endedByItself(code, child)));
    this.#keepLogs(child);
    return code;
  }

  #keepLogs({ stderr }: OwnProcess): void {
    this.#logs += stderr;
    this.#write('log.jsonl', this.#logs);
  }

  async #run(command: Command, ...args: readonly string[]): Promise<string> {
    if (this.#isOver) throw new Error('the gateway’s store is not read any more');
    let [said, complaint] = ['', ''];
    const out = (text: string): void => {
      said += text;
    };
    const err = (text: string): void => {
      complaint += text;
    };
    const code = await command(args, { out, err, env: { CROSSBOOK_DATA_DIR: this.dataDir } });
    if (code !== 0) throw new Error(`${args.join(' ')}: exit code ${code}: ${complaint}`);
    return said;
  }
}

async function outcomeOf(child: OwnProcess): Promise<Attempt> {
  try {
    await child.said(LISTENING);
    return { isUp: true };
  } catch {
    return { isUp: false, code: await child.ended, complaint: child.stderr.trim() };
  }
}

function endedByItself(code: number | null, { endedBy, stderr }: OwnProcess): string {
  return `the gateway has ended by itself, with ${code ?? endedBy}: ${stderr}`;
}

function podLine({ podId, accounts, wallet }: PodAccount, urls: PaperProcess['urls']): object {
  const { privateKey, address, chainId, apiKey, secret, passphrase } = accounts.venueA;
  const { keyId, privateKeyPem } = accounts.venueB.keys[0]!;
  const credentials = { privateKey, apiKey, secret, passphrase };
  const addresses = {
    restUrl: urls['venue_a rest'],
    dataUrl: urls['venue_a data'],
    userStreamUrl: urls['venue_a userStream'],
  };
  const relayer = { url: urls['venue_a relayer'], apiKey, apiKeyAddress: address };
  const money =
    wallet === undefined
      ? { signatureType: 0, funder: address }
      : { signatureType: 3, funder: wallet, relayer, redeemUsdMax: { action: '500', day: '2000' } };
  return {
    podId,
    venueA: { ...addresses, chainId, ...money, ...credentials },
    venueB: { restUrl: urls['venue_b rest'], streamUrl: urls['venue_b stream'], keyId, privateKeyPem },
  };
}

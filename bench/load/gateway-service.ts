// The gateway as an operator starts it, `src/main.ts` with a pods file, in its own process: an actor and a signing key for every pod.
// It uses the rate profile `bench`, which limits no signing key.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Durability } from '../../src/config.ts';
import { type ActorLimits, NO_LIMITS } from '../../src/core/domain/identity.ts';
import type { UnixMillis } from '../../src/core/domain/numbers.ts';
import type { PodVenues } from '../../src/core/domain/pod-accounts.ts';
import { openKeyStore } from '../../src/core/store/key-store.ts';
import { nodeSigner } from '../../src/tools/client/node-client.ts';
import { signRequest } from '../../src/tools/client/signer.ts';
import { OwnProcess, START_ENVIRONMENT } from '../../test/support/child-process.ts';
import { type BenchKey, createBenchKeys } from './http-signing.ts';
import type { PaperService } from './paper-service.ts';
import { cpuMsOf } from './process-cpu.ts';
import type { FeedUrls } from './rig.ts';

export interface GatewayServiceOptions {
  /** An empty folder for keys, orders and secrets. */
  readonly folder: string;
  readonly durability: Durability;
  readonly paper: PaperService;
  readonly pods: readonly PodVenues[];
  /** The number of threads in the check pool. Undefined means the gateway's default. */
  readonly poolThreads?: number;
  /** The limits of each actor. The default is no limits. */
  readonly actorLimits?: ActorLimits;
  /** Whether a rehearsal runs first. The default is true. */
  readonly warmsUp?: boolean;
  /** The source of venue B's books. The default is the paper exchange. */
  readonly venueBFeed?: FeedUrls;
  /** Whether to open the door on the engine's thread, too. */
  readonly hasDoor?: boolean;
  /** Settings in addition to those that this file makes. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Arguments of Node before the arguments of the program. */
  readonly nodeArguments?: readonly string[];
}

const READY_TIMEOUT_MS = 30_000;
const READY_POLL_MS = 20;
const PRIVATE = { mode: 0o600 };
const NOTHING = new Uint8Array(0);

export class GatewayService {
  readonly port: number;
  /** The port of the door on the engine's thread; 0 without a door. */
  readonly doorPort: number;
  /** The keys by pod. */
  readonly keys: ReadonlyMap<string, BenchKey>;
  readonly #program: OwnProcess;
  /** The time of the last request, in Unix milliseconds. */
  #signedAt = 0;

  /** Resolves when the gateway is ready, which means that every account has been read once. */
  static async start(options: GatewayServiceOptions): Promise<GatewayService> {
    const keys = await registerPods(options);
    const program = new OwnProcess([...(options.nodeArguments ?? []), 'src/main.ts'], await environmentOf(options));
    try {
      const [, port] = await program.said(/^crossbook listening on http:\/\/127\.0\.0\.1:(\d+) /m);
      await ready(Number(port));
      const door = options.hasDoor === true ? await program.said(/^crossbook takes orders on .*:(\d+)$/m) : null;
      return new GatewayService(program, { port: Number(port), doorPort: Number(door?.[1] ?? 0) }, keys);
    } catch (error) {
      program.signal('SIGKILL');
      throw error;
    }
  }

  private constructor(
    program: OwnProcess,
    { port, doorPort }: Pick<GatewayService, 'port' | 'doorPort'>,
    keys: ReadonlyMap<string, BenchKey>,
  ) {
    this.#program = program;
    this.port = port;
    this.doorPort = doorPort;
    this.keys = keys;
  }

  get processId(): number {
    return this.#program.pid;
  }

  /** Cancels all orders of a key's actor, outside of timed parts. */
  async cancelAll(path: string, key: BenchKey): Promise<void> {
    // Signatures are dated in whole seconds, so two requests in one second would be the same request.
    this.#signedAt = Math.max(Date.now(), this.#signedAt + 1_000);
    const request = { method: 'DELETE', target: path, body: NOTHING, idempotencyKey: '', notAfterMillis: null };
    const headers = await signRequest(nodeSigner(key), request, this.#signedAt);
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, { method: 'DELETE', headers });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`DELETE ${path}: ${answer.status} ${text}`);
  }

  /** The processor time of all threads of the gateway so far, in milliseconds. */
  cpuMs(): number {
    return cpuMsOf(this.#program.pid);
  }

  async close(): Promise<void> {
    this.#program.signal('SIGKILL');
    await this.#program.ended;
  }
}

async function registerPods({
  folder,
  pods,
  actorLimits = NO_LIMITS,
}: GatewayServiceOptions): Promise<ReadonlyMap<string, BenchKey>> {
  const keys = createBenchKeys(pods.length);
  const store = openKeyStore(join(folder, 'keys'));
  const createdAt = Date.now() as UnixMillis;
  for (const [index, { podId }] of pods.entries()) {
    const { keyId, publicKeyHex } = keys[index]!;
    const owner = { podId, actorId: 'bench', createdAt };
    const key = { ...owner, keyId, publicKeyHex, scopes: ['read', 'trade'], addresses: [], label: '' } as const;
    const changes = [
      store.createPod({ podId, createdAt }),
      store.createActor(owner),
      store.setActorLimits(podId, owner.actorId, actorLimits),
      store.addSigningKey(key),
    ];
    for (const made of changes) if (!made.ok) throw new Error(made.error);
  }
  await store.close();
  return new Map(pods.map(({ podId }, index) => [podId, keys[index]!]));
}

async function environmentOf(options: GatewayServiceOptions) {
  const {
    folder,
    durability,
    paper,
    pods,
    poolThreads,
    warmsUp = true,
    hasDoor = false,
    venueBFeed,
    environment = {},
  } = options;
  // Reading market data needs a key too.
  const feedAccount = await paper.venueBAccount('ed25519');
  const { restUrl, streamUrl } = venueBFeed ?? feedAccount;
  const [podsFile, keyFile] = [join(folder, 'pods.json'), join(folder, 'feed.pem')];
  writeFileSync(podsFile, podsText(pods), PRIVATE);
  writeFileSync(keyFile, feedAccount.privateKeyPem, PRIVATE);
  return {
    ...START_ENVIRONMENT,
    CROSSBOOK_PORT: '0',
    ...(hasDoor ? { CROSSBOOK_TRADE_PORT: '0' } : {}),
    CROSSBOOK_DATA_DIR: folder,
    CROSSBOOK_RATE_PROFILE: 'bench',
    CROSSBOOK_DURABILITY: durability,
    ...(poolThreads === undefined ? {} : { CROSSBOOK_POOL_THREADS: String(poolThreads) }),
    ...environment,
    CROSSBOOK_WARM_UP: warmsUp ? 'on' : 'off',
    CROSSBOOK_LOG: 'warn',
    CROSSBOOK_PODS_FILE: podsFile,
    CROSSBOOK_VENUE_A_REST_URL: paper.url('venue A CLOB'),
    CROSSBOOK_VENUE_A_STREAM_URL: paper.url('venue A market stream'),
    CROSSBOOK_VENUE_A_GAMMA_URL: paper.url('venue A Gamma'),
    CROSSBOOK_VENUE_B_REST_URL: restUrl,
    CROSSBOOK_VENUE_B_STREAM_URL: streamUrl,
    CROSSBOOK_VENUE_B_KEY_ID: feedAccount.keyId,
    CROSSBOOK_VENUE_B_KEY_FILE: keyFile,
  };
}

async function ready(port: number): Promise<void> {
  for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline; ) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
    await answer.text();
    if (answer.ok) return;
    await new Promise(resolve => setTimeout(resolve, READY_POLL_MS));
  }
  throw new Error('the gateway does not get ready');
}

/** Returns the text of the pods file, without accounts that a pod does not have. */
function podsText(pods: readonly PodVenues[]): string {
  return JSON.stringify({ pods }, (_name, value: unknown) => value ?? undefined);
}

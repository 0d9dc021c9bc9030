// A load run over HTTP: the real gateway and a bare server, each in its own process, and callers on a thread. The suite's
// thread only controls them. Everything ends with the rig, and with the suite's process.

import { type StartedGateway, startGatewayProcess } from './http-gateway.ts';
import { type BenchKey, signedHeaders } from './http-signing.ts';
import { Latencies } from './latencies.ts';
import type { BareBodies, CpuAnswer, Lateness, LoadAnswer, LoadPlan } from './messages.ts';
import { Peer } from './peer.ts';
import type { Turn } from './rig.ts';
import { Venue } from './venue.ts';

/** The number of keys. With 25 seconds each they make 2 000 different requests. */
const KEYS = 80;
const SMOKE_KEYS = 2;

export type LoadShape = Pick<LoadPlan, 'target' | 'connections' | 'durationMs'> &
  Partial<Pick<LoadPlan, 'isSigned' | 'requestsPerSecond'>>;

/** A server under load. */
export interface Server {
  readonly process: Peer;
  readonly port: number;
}

export class HttpRig {
  readonly gateway: Server;
  readonly keys: readonly BenchKey[];
  /** The functions that close what was started, newest last. */
  readonly #ends: (() => Promise<void> | void)[];
  readonly #callers: Peer;

  static async start({ smoke }: { readonly smoke: boolean }): Promise<HttpRig> {
    const venue = await Venue.start();
    try {
      return new HttpRig(venue, await startGatewayProcess(venue, smoke ? SMOKE_KEYS : KEYS));
    } catch (error) {
      venue.close();
      throw error;
    }
  }

  private constructor(venue: Venue, gateway: StartedGateway) {
    this.gateway = gateway;
    this.keys = gateway.keys;
    this.#ends = [() => venue.close(), () => gateway.close()];
    this.#callers = this.thread('http-load-worker.ts', { keys: gateway.keys });
  }

  /** Starts bare uWebSockets.js with the gateway's current answers for these paths. */
  async bareServer(paths: readonly string[]): Promise<Server> {
    const bodies: Record<string, string> = {};
    for (const path of paths) bodies[path] = await this.#bodyOf(path);
    const server = this.process('../baselines/bare-http-process.ts');
    return { process: server, port: await server.ask<number>(bodies satisfies BareBodies) };
  }

  /** Starts a process that ends with the rig. */
  process(file: string): Peer {
    return this.#endsWithRig(Peer.process(new URL(file, import.meta.url), file));
  }

  /** Starts a thread that ends with the rig. */
  thread(file: string, workerData: object): Peer {
    return this.#endsWithRig(Peer.thread(new URL(file, import.meta.url), file, workerData));
  }

  /** Loads the server. Rejects if an answer is not 200, or is missing. */
  async load(server: Server, shape: LoadShape): Promise<Turn> {
    const plan: LoadPlan = { isSigned: true, requestsPerSecond: null, ...shape, port: server.port };
    await this.#callers.ask({ op: 'prepare', plan });
    const cpuBefore = await cpuMs(server);
    const { count, elapsedMs, latencies: counts } = await this.#callers.ask<LoadAnswer>({ op: 'run' });
    const cpuPercent = (100 * ((await cpuMs(server)) - cpuBefore)) / elapsedMs;
    const latencies = Latencies.of(counts);
    return { deliveries: count, lost: 0, elapsedMs, latencies, cpuPercent };
  }

  async close(): Promise<void> {
    for (const end of this.#ends.reverse()) await end();
  }

  async #bodyOf(path: string): Promise<string> {
    const headers = signedHeaders(this.keys[0]!, path);
    const answer = await fetch(`http://127.0.0.1:${this.gateway.port}${path}`, { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.text();
  }

  #endsWithRig(peer: Peer): Peer {
    this.#ends.push(() => peer.kill());
    return peer;
  }
}

/** Measures the lateness of the processes' timers under load, all at the same time. */
export async function latenessDuring<T>(
  processes: readonly Peer[],
  load: () => Promise<T>,
): Promise<{ readonly result: T; readonly lateness: readonly Lateness[] }> {
  for (const process of processes) await process.ask({ op: 'sample' });
  const result = await load();
  const lateness: Lateness[] = [];
  for (const process of processes) lateness.push(await process.ask<Lateness>({ op: 'lateness' }));
  return { result, lateness };
}

async function cpuMs({ process }: Server): Promise<number> {
  return (await process.ask<CpuAnswer>({ op: 'cpu' })).cpuMs;
}

// Many requests from one address over kept connections; their statuses are counted, nothing is timed.

import { Agent, request } from 'node:http';

interface FloodOptions {
  readonly port: number;
  readonly headersOf: (index: number) => Record<string, string>;
  readonly count: number;
  /** Source address on loopback. */
  readonly localAddress: string;
  /** Requests at a time; 32 by default. */
  readonly concurrency?: number;
  readonly method?: string;
  readonly target: string;
  readonly agent?: Agent;
}

/** The status of each request. */
export async function flood(options: FloodOptions): Promise<number[]> {
  const { port, headersOf, count, localAddress, concurrency = 32, method = 'GET', target } = options;
  const agent = options.agent ?? new Agent({ keepAlive: true, maxSockets: concurrency });
  const statuses: number[] = [];
  let next = 0;
  const one = (index: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const where = { port, host: '127.0.0.1', path: target, agent, localAddress };
      const outgoing = request({ ...where, method, headers: headersOf(index) }, response => {
        response.resume();
        response.once('end', () => resolve(response.statusCode!));
      });
      outgoing.once('error', reject);
      outgoing.end();
    });
  const worker = async (): Promise<void> => {
    while (next < count) statuses.push(await one(next++));
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (options.agent === undefined) agent.destroy();
  return statuses;
}

export const countOf = (statuses: readonly number[], status: number): number =>
  statuses.filter(it => it === status).length;

// Many requests from one address over kept connections. Their statuses are counted; nothing is timed.

import { Agent, request } from 'node:http';

interface FloodOptions {
  readonly port: number;
  readonly headersOf: (index: number) => Record<string, string>;
  readonly count: number;
  /** The source address on loopback. */
  readonly localAddress: string;
  /** The number of requests in flight at a time. The default is 32. */
  readonly concurrency?: number;
  readonly method?: string;
  readonly target: string;
  readonly agent?: Agent;
}

/** Sends the requests. Returns the status of each request. */
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

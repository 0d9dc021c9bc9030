// A venue with scripted answers on a real socket, and the readers of the three venues, which ask it. The venue closes when the test ends.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { HttpOutboundPool } from '../../src/core/net/outbound-pool.ts';
import { type Timers, wallTimers } from '../../src/core/runtime/timers.ts';
import type { ReadVenue } from '../../src/venues/market-read.ts';
import { MarketReadHttp } from '../../src/venues/market-read-http.ts';
import type { PaceTerms } from '../../src/venues/request-pace.ts';

export interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A value that is sent as JSON, or a text that is sent unchanged. */
  readonly body: unknown;
}

/** Null means that the venue hangs up. Undefined means that the venue never answers. */
export type Saying = (path: string, count: number) => Said | null | undefined;

const NO_LIMIT: PaceTerms = { concurrentMax: 8, gapMs: 0 };

export class ScriptedVenue {
  readonly requests: string[] = [];
  readonly headers: Readonly<Record<string, unknown>>[] = [];
  readonly #server: Server;
  readonly #pools: HttpOutboundPool[] = [];

  private constructor(say: Saying) {
    this.#server = createServer((request, response) => {
      const path = request.url!;
      this.headers.push(request.headers);
      const said = say(path, this.requests.push(path));
      if (said === undefined) return;
      if (said === null) response.socket?.destroy();
      else {
        response.writeHead(said.status ?? 200, said.headers);
        response.end(typeof said.body === 'string' ? said.body : JSON.stringify(said.body));
      }
    });
  }

  static async start(say: Saying): Promise<ScriptedVenue> {
    const venue = new ScriptedVenue(say);
    venue.#server.listen(0, '127.0.0.1');
    await once(venue.#server, 'listening');
    onTestFinished(() => venue.close());
    return venue;
  }

  /** Starts a venue that always gives the same answer for a path, and 404 for every other path. */
  static saying(answers: Readonly<Record<string, Said>>): Promise<ScriptedVenue> {
    return ScriptedVenue.start(path => answers[path] ?? { status: 404, body: { message: 'nothing here' } });
  }

  http(venue: ReadVenue, { pace = NO_LIMIT, timers = wallTimers, ...more }: HttpOptions = {}): MarketReadHttp {
    const origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    const { answerBytesMax = 1_000_000, basePath = '', headers = {} } = more;
    const outbound = new HttpOutboundPool({ origin, connectionsMax: 8, idleMs: 1_000, answerBytesMax });
    this.#pools.push(outbound);
    return new MarketReadHttp({ venue, url: origin + basePath, headers, pace, outbound, timers });
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.all(this.#pools.splice(0).map(pool => pool.close()));
  }
}

interface HttpOptions {
  readonly pace?: PaceTerms;
  readonly timers?: Timers;
  readonly answerBytesMax?: number;
  readonly basePath?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

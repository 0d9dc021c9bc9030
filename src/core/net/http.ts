// GETs of the venues' lists and facts, over keep-alive connections, with one pool for each origin. Any thread.

import { limits } from '../../limits.ts';
import { HttpOutboundPool } from './outbound-pool.ts';

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** GETs a URL. Rejects on a network failure, a time-out or a body over the bound. */
export type HttpGet = (url: string, headers: Readonly<Record<string, string>>) => Promise<HttpAnswer>;

export interface HttpClient {
  readonly get: HttpGet;
  /** Closes the connections; requests in flight fail. */
  close(): void;
}

const BYTE_ORDER_MARK = /^\ufeff/;

/** `timeoutMs` bounds a whole request, from the wait for a connection to the last byte of the body. */
export function createHttpClient(timeoutMs: number, bodyBytesMax: number): HttpClient {
  const pools = new Map<string, HttpOutboundPool>();
  let isClosed = false;

  function poolOf(origin: string): HttpOutboundPool {
    const known = pools.get(origin);
    if (known !== undefined) return known;
    const pool = new HttpOutboundPool({
      origin,
      connectionsMax: limits.upstreamRestConnectionsMax,
      idleMs: limits.orderConnectionIdleMs,
      answerBytesMax: bodyBytesMax,
    });
    pools.set(origin, pool);
    return pool;
  }

  return {
    async get(url, headers) {
      if (isClosed) throw new Error('the HTTP client is closed');
      const { origin, pathname, search } = new URL(url);
      const request = { method: 'GET', target: pathname + search, headers, body: '' } as const;
      const outcome = await poolOf(origin).request(request, timeoutMs);
      if (outcome.type !== 'answer') throw new Error(outcome.message);
      return { status: outcome.status, body: outcome.body.replace(BYTE_ORDER_MARK, '') };
    },
    close() {
      isClosed = true;
      for (const pool of pools.values()) pool.destroy();
    },
  };
}

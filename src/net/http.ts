// Outbound HTTP. The only importer of `undici`.

import { createRequire } from 'node:module';

// CommonJS: `import` would make each thread scan its text for export names first (docs/PERFORMANCE.md, Starting).
const { Agent } = createRequire(import.meta.url)('undici') as typeof import('undici');

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** GETs a URL. Rejects on network failure, time-out or a body over the bound. */
export type HttpGet = (url: string, headers: Readonly<Record<string, string>>) => Promise<HttpAnswer>;

export interface HttpClient {
  readonly get: HttpGet;
  close(): Promise<void>;
}

/** A keep-alive client. `timeoutMs` bounds each of connecting, waiting for headers and reading the body. */
export function createHttpClient(timeoutMs: number, bodyBytesMax: number): HttpClient {
  const agent = new Agent({
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: bodyBytesMax,
  });
  return {
    async get(url, headers) {
      const { origin, pathname, search } = new URL(url);
      const answer = await agent.request({ origin, path: pathname + search, method: 'GET', headers });
      return { status: answer.statusCode, body: await answer.body.text() };
    },
    close: () => agent.destroy(),
  };
}

// HTTP on uWebSockets.js: whatever a handler does, the caller is answered once and the process lives on.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpRoute, jsonReply, type Listener, listen } from '../../src/net/listen.ts';

const failing = () => {
  throw new Error('secret detail');
};
const routes: readonly HttpRoute[] = [
  { method: 'get', pattern: '/echo/:name', handle: ({ query }, names) => jsonReply(200, { names, query }) },
  { method: 'get', pattern: '/throws', handle: failing },
  { method: 'get', pattern: '/rejects', handle: async () => failing() },
];

let listener: Listener;
const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${listener.port}${path}`);

beforeAll(async () => {
  listener = await listen({ host: '127.0.0.1', port: 0, http: routes, sockets: [] });
});
afterAll(() => listener.close());

describe('an HTTP route', () => {
  it('sees its path parameters and the raw query', async () => {
    expect(await (await get('/echo/a%20b?c=d%20e')).json()).toEqual({ names: ['a%20b'], query: 'c=d%20e' });
  });

  it.each(['/throws', '/rejects'])(
    'that fails (%s) is a 500 that gives nothing away, and the server lives on',
    async path => {
      const answer = await get(path);
      expect(answer.status).toBe(500);
      expect(await answer.json()).toEqual({ error: { code: 'INTERNAL_ERROR', message: 'a fault of the server' } });
      expect((await get('/echo/x')).status).toBe(200);
    },
  );

  it('that does not exist is a 404', async () => {
    expect((await get('/nowhere')).status).toBe(404);
  });
});

// The headers of a request, as handlers find them, through real sockets.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { HeaderName } from '../../../src/core/net/header-names.ts';
import { type HttpRoute, jsonReply, listen } from '../../../src/core/net/listen.ts';
import { RawHttp } from '../../support/raw-http.ts';

const options = { host: '127.0.0.1', port: 0, sockets: [] };
const get = (target: string, headers: string): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

it('gives headers as they were sent: joined if repeated, found in lower case', async () => {
  const names: readonly HeaderName[] = ['svc-key-id', 'idempotency-key', 'x-api-key', 'poly_nonce'];
  const sent = [...names, 'x-unread'];
  const header = fc.tuple(fc.constantFrom(...sent), fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/), fc.boolean());
  const route: HttpRoute = {
    method: 'get',
    pattern: '/seen',
    handle: request =>
      jsonReply(
        200,
        names.map(name => [request.header(name), request.repeatedOf([name]) !== null, request.repeatedOf(names)]),
      ),
  };
  const own = await listen({ ...options, http: [route] });
  const client = await RawHttp.connect(own);
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(header, { maxLength: 12 }), async headers => {
      asked += 1;
      const lines = headers.map(([name, value, isUpper]) => `${isUpper ? name.toUpperCase() : name}: ${value}\r\n`);
      const answers = await client.send(get('/seen', lines.join(''))).hear(asked);
      const valuesOf = (name: string): string[] => headers.filter(it => it[0] === name).map(it => it[1]);
      const repeated = names.find(name => valuesOf(name).length > 1) ?? null;
      const twin = names.map(name => [valuesOf(name).join(', '), valuesOf(name).length > 1, repeated]);
      expect(JSON.parse(answers[asked - 1]!.body)).toEqual(twin);
    }),
    { numRuns: 100 },
  );
  own.close();
});

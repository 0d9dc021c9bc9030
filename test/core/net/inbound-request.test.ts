// The headers of a request, as handlers find them, through real sockets.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type HttpRoute, type InboundRequest, jsonReply, listen, type Reply } from '../../../src/core/net/listen.ts';
import { eventually } from '../../support/eventually.ts';
import { RawHttp } from '../../support/raw-http.ts';

const options = { host: '127.0.0.1', port: 0, sockets: [] };
const get = (target: string, headers: string): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

it('gives headers as they were sent: joined if repeated, found in lower case', async () => {
  const letters = 'abcd';
  const header = fc.tuple(fc.constantFrom(...letters), fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/), fc.boolean());
  const route: HttpRoute = {
    method: 'get',
    pattern: '/seen',
    handle: request =>
      jsonReply(
        200,
        Array.from(letters, letter => [request.header(`x-${letter}`), request.repeatedOf([`x-${letter}`]) !== null]),
      ),
  };
  const own = await listen({ ...options, http: [route] });
  const client = await RawHttp.connect(own);
  let asked = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(header, { maxLength: 12 }), async headers => {
      asked += 1;
      const lines = headers.map(([letter, value, isUpper]) => `${isUpper ? 'X' : 'x'}-${letter}: ${value}\r\n`);
      const answers = await client.send(get('/seen', lines.join(''))).hear(asked);
      const twin = Array.from(letters, letter => {
        const values = headers.filter(it => it[0] === letter).map(it => it[1]);
        return [values.join(', '), values.length > 1];
      });
      expect(JSON.parse(answers[asked - 1]!.body)).toEqual(twin);
    }),
    { numRuns: 100 },
  );
  own.close();
});

it('gives a header that a handler asks for first while an older request waits, to both', async () => {
  const asked = Promise.withResolvers<void>();
  const seen = (request: InboundRequest): Reply =>
    jsonReply(200, [
      request.header('x-first-asked'),
      request.repeatedOf(['x-first-asked']) !== null,
      request.header('x-absent'),
    ]);
  const routes: readonly HttpRoute[] = [
    { method: 'get', pattern: '/older', handle: request => asked.promise.then(() => seen(request)) },
    {
      method: 'get',
      pattern: '/younger',
      handle: request => {
        const reply = seen(request);
        asked.resolve();
        return reply;
      },
    },
  ];
  const own = await listen({ ...options, http: routes });
  const [older, younger] = [await RawHttp.connect(own), await RawHttp.connect(own)];
  older.send(get('/older', 'X-First-Asked: a\r\nx-other: b\r\nx-first-asked: c\r\n'));
  await eventually(() => expect(own.requestsInFlight).toBe(1));
  const [second] = await younger.send(get('/younger', 'x-first-asked: d\r\n')).hear(1);
  const [first] = await older.hear(1);
  expect([first, second].map(answer => JSON.parse(answer!.body))).toEqual([
    ['a, c', true, ''],
    ['d', false, ''],
  ]);
  own.close();
});

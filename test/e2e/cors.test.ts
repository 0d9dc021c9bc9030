// Pages of other origins, as browsers ask for them: only those in the setting may read answers.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { signedHeaders } from '../support/signed-requests.ts';

const ORIGIN = 'https://desk.example';
const allowedOf = (answer: Response) => answer.headers.get('access-control-allow-origin');

let gateway: RunningGateway;
const ask = (origin: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(gateway.httpUrl + path, { ...init, headers: { ...(init.headers as object), Origin: origin } });
const preflight = (origin: string, path: string): Promise<Response> =>
  ask(origin, path, { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'POST' } });

describe('with an origin in the setting', () => {
  beforeAll(async () => {
    gateway = await startRunningGateway({ source: { kind: 'synthetic', seed: 1 }, corsOrigins: [ORIGIN] });
  });
  afterAll(() => gateway.close());

  it('a page of it may read answers, errors included', async () => {
    const headers = signedHeaders(gateway.key, 'GET', '/v1/whoami');
    const answer = await ask(ORIGIN, '/v1/whoami', { headers });
    expect([answer.status, allowedOf(answer), answer.headers.get('vary')]).toEqual([200, ORIGIN, 'Origin']);
    expect(answer.headers.get('access-control-expose-headers')).toContain('SVC-Request-Id');
    for (const path of ['/v1/whoami', '/v1/nothing', '/v1/openapi.json'])
      expect(allowedOf(await ask(ORIGIN, path))).toBe(ORIGIN);
  });

  it('a preflight names methods and headers', async () => {
    const answer = await preflight(ORIGIN, '/v1/venue-b/orders');
    expect([answer.status, allowedOf(answer)]).toEqual([200, ORIGIN]);
    expect(answer.headers.get('access-control-allow-methods')).toBe('DELETE, GET, POST');
    expect(answer.headers.get('access-control-allow-headers')).toContain('SVC-Signature');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it.each(['https://other.example', 'null', 'http://desk.example', 'https://desk.example.other'])(
    'a page of %s may not read answers',
    async origin => {
      const answers = [await ask(origin, '/v1/whoami'), await preflight(origin, '/v1/venue-b/orders')];
      expect(answers.map(it => [it.status, allowedOf(it), it.headers.get('vary')])).toEqual([
        [401, null, 'Origin'],
        [405, null, 'Origin'],
      ]);
    },
  );
});

it('without the setting no page of another origin may read answers', async () => {
  gateway = await sharedGateway('synthetic');
  const answers = [await ask(ORIGIN, '/v1/whoami'), await preflight(ORIGIN, '/v1/venue-b/orders')];
  expect(answers.map(it => [it.status, allowedOf(it), it.headers.get('vary')])).toEqual([
    [401, null, null],
    [405, null, null],
  ]);
  await gateway.close();
});

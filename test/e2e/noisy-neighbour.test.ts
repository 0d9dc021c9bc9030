// A bot that shares its address with a noisy client.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { rateProfiles } from '../../src/limits.ts';
import { countOf, flood } from '../support/flood.ts';
import { someTicker } from '../support/paper-traders.ts';
import { type Answer, send, signedHeaders, type TestKey } from '../support/signed-requests.ts';
import { errorOf, OrdersRig, orderIdOf } from './orders-rig.ts';

// Found on the running product, by 70 requests a second with an unknown key id. After 27 s the owner of another key at the same address got
// 503 on submissions and 429 on cancels. Failed checks counted against the address alone. Here each flood has the requests of such a
// minute, in less time, while the owner submits and cancels.
describe('3020: one noisy neighbour on an address', () => {
  /** The length of the flood in seconds. After 27 seconds of it the owner was refused. */
  const SECONDS = 60;
  /** The length of the other kinds of noise: enough for the 500 failed checks that were the burst of an address. */
  const FEWER_SECONDS = 20;
  const FLOOD_PER_S = 70;
  const OWN = '127.0.0.1';
  const ELSEWHERE = '127.0.0.2';
  const ORDERS = '/v1/venue-b/orders';

  let rig: OrdersRig;
  let ticker: string;
  let attacker: TestKey;

  beforeAll(async () => {
    rig = await OrdersRig.start('venue-b');
    ticker = await someTicker(rig.gateway.paper!.urls.venueB.rest);
    attacker = await rig.newKey();
  });
  afterAll(() => rig.close());

  type Signs = (method: string, target: string, idempotencyKey: string) => Record<string, string>;

  const signed =
    (key: TestKey): Signs =>
    (method, target, idempotencyKey) => ({ ...signedHeaders(key, method, target, { idempotencyKey }) });
  const forged = (key: TestKey): Signs => signed({ ...key, seedHex: '00'.repeat(32) });

  interface Noise {
    readonly signs: Signs;
    readonly from: string;
    readonly method?: string;
    readonly target?: string;
  }

  /** Returns the answers to the owner of the demo key during the noise, and the answers to the noise. */
  async function ownerAmid({ signs, from, method = 'GET', target = '/v1/whoami' }: Noise, seconds: number) {
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const own: Answer[] = [];
    const noise: number[] = [];
    const { port } = rig.gateway;
    const headersOf = () => signs(method, target, method === 'POST' ? randomUUID() : '');
    for (let second = 0; second < seconds; second++) {
      const trade = async (): Promise<void> => {
        const made = await rig.submit({ ticker, side: 'YES', action: 'BUY', count: 1, priceCents: 1 });
        own.push(made);
        if (made.status === 201) own.push(await rig.cancel(orderIdOf(made)));
      };
      const [statuses] = await Promise.all([
        flood({ port, headersOf, count: FLOOD_PER_S, localAddress: from, concurrency: 16, method, target, agent }),
        trade(),
      ]);
      noise.push(...statuses);
    }
    agent.destroy();
    return { own, noise };
  }

  function expectUndisturbed(own: readonly Answer[], seconds: number): void {
    const refused = own.filter(({ status }) => status !== 201 && status !== 200);
    expect(refused.map(answer => `${answer.status} ${errorOf(answer).message}`)).toEqual([]);
    expect(own).toHaveLength(2 * seconds);
  }

  const unknown: Signs = (method, target, idempotencyKey) => ({
    ...signed(attacker)(method, target, idempotencyKey),
    'SVC-Key-Id': 'key_nobody',
  });
  const unsigned: Signs = () => ({});
  const late: Signs = (method, target) => signedHeaders(attacker, method, target, { timestamp: '1000000000' });
  const guessedApiKey: Signs = () => ({ 'x-api-key': 'cbk_guess' });
  const otherBody: Signs = (...request) => ({
    ...forged(rig.gateway.key)(...request),
    'SVC-Content-Sha256': '0'.repeat(64),
  });

  describe('the owner of a key submits and cancels, and none is refused, beside', () => {
    it.each<[what: string, noise: () => Noise, answeredAs: number, seconds?: number]>([
      ['unknown key ids at his address', () => ({ signs: unknown, from: OWN }), 401, SECONDS],
      [
        'unknown key ids at his address that ask for cancels',
        () => ({ signs: unknown, from: OWN, method: 'DELETE', target: ORDERS }),
        401,
      ],
      ['requests without a signature at his address', () => ({ signs: unsigned, from: OWN }), 401],
      ['another key’s clock that is off, at his address', () => ({ signs: late, from: OWN }), 401],
      ['guessed API keys at his address', () => ({ signs: guessedApiKey, from: OWN, target: '/v1/balances' }), 403],
      ['another key’s id forged at his address', () => ({ signs: forged(attacker), from: OWN }), 401],
      ['his own key id forged at his address', () => ({ signs: forged(rig.gateway.key), from: OWN }), 401],
      [
        'his own key id forged at his address, orders',
        () => ({ signs: forged(rig.gateway.key), from: OWN, method: 'POST', target: ORDERS }),
        401,
      ],
      [
        'his own key id forged at his address, cancels',
        () => ({ signs: forged(rig.gateway.key), from: OWN, method: 'DELETE', target: ORDERS }),
        401,
      ],
      ['his own key id and another body at his address', () => ({ signs: otherBody, from: OWN }), 401],
      ['his own key id forged elsewhere', () => ({ signs: forged(rig.gateway.key), from: ELSEWHERE }), 401],
      ['an attacker at his address with a key of his own', () => ({ signs: signed(attacker), from: OWN }), 200],
    ])('%s', async (_what, noise, answeredAs, seconds = FEWER_SECONDS) => {
      const { own, noise: statuses } = await ownerAmid(noise(), seconds);
      expectUndisturbed(own, seconds);
      expect(statuses).toHaveLength(seconds * FLOOD_PER_S);
      // The gateway answers the noise, and limits it if its requests cost anything.
      expect(countOf(statuses, answeredAs)).toBeGreaterThan(0);
      expect(countOf(statuses, answeredAs) + countOf(statuses, 429) + countOf(statuses, 503)).toBe(statuses.length);
    });
  });

  describe('at an address that has used up all its refused requests', () => {
    const NOISY = '127.0.0.3';
    let noisy: OrdersRig;

    beforeAll(async () => {
      // No token comes back while the tests last.
      const failedChecks = { perS: 0.001, burstMax: 100 };
      noisy = await OrdersRig.start('venue-b', { rateProfile: { ...rateProfiles.default, failedChecks } });
      const headersOf = () => unknown('GET', '/v1/whoami', '');
      const where = { port: noisy.gateway.port, localAddress: NOISY, target: '/v1/whoami' };
      const statuses = await flood({ ...where, headersOf, count: 200 });
      expect([countOf(statuses, 401), countOf(statuses, 429)]).toEqual([100, 100]);
    });
    afterAll(() => noisy.close());

    it('a key that has proven nothing there yet is served', async () => {
      expect((await noisy.call('GET', '/v1/whoami', { localAddress: NOISY })).status).toBe(200);
    });

    it('an API key reads', async () => {
      const sending = { headers: { 'x-api-key': noisy.gateway.apiKey }, localAddress: NOISY };
      expect((await send(`${noisy.gateway.httpUrl}/v1/balances`, sending)).status).toBe(200);
    });

    it('a ticket opens its stream', async () => {
      const issued = await noisy.call('POST', '/v1/orderbook/ticket', { localAddress: NOISY });
      const { ticket } = issued.json as { readonly ticket: string };
      const stream = new WebSocket(`${noisy.gateway.url}?ticket=${ticket}`, { localAddress: NOISY });
      await once(stream, 'open');
      stream.terminate();
    });

    it('a signed stream opens', async () => {
      const stream = new WebSocket(noisy.gateway.url, { headers: noisy.gateway.upgradeHeaders(), localAddress: NOISY });
      await once(stream, 'open');
      stream.terminate();
    });

    it('who is refused hears when the reason is given again', async () => {
      const answer = await noisy.call(
        'GET',
        '/v1/whoami',
        { localAddress: NOISY },
        { ...attacker, keyId: 'key_nobody' },
      );
      expect(answer.status).toBe(429);
      expect(errorOf(answer).message).toContain('failedChecks');
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(answer.headers.ratelimit).toMatch(/^"refused-requests";r=0/);
    });
  });
});

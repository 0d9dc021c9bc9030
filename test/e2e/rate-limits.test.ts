// Rate limits of signing keys and API keys, for requests and for messages of a stream. They are announced before they are reached, and when they are
// reached.

import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { rateProfiles } from '../../src/limits.ts';
import { newKey } from '../support/new-key.ts';
import { type RunningGateway, startRunningGateway } from '../support/running-gateway.ts';
import { type Answer, send, sendSigned, signedHeaders, type TestKey } from '../support/signed-requests.ts';

function messageOf({ json }: Answer): string {
  return (json as { error?: { message: string } }).error?.message ?? '';
}

// No token comes back while the tests last.
const few = { perS: 0.001, burstMax: 3 };
let limited: RunningGateway;
/** A key that has all its tokens. */
let key: TestKey;
beforeAll(async () => {
  const rateProfile = { ...rateProfiles.default, reads: few, submissions: few, cancels: few };
  limited = await startRunningGateway({ source: { kind: 'synthetic', seed: 1 }, rateProfile });
});
beforeEach(async () => {
  key = await newKey(limited.keyStore);
});
afterAll(() => limited.close());

it.each([
  ['reads', 'GET', '/v1/time', 200, 429],
  ['submissions', 'POST', '/v1/venue-a/orders', 500, 503],
  ['cancels', 'DELETE', '/v1/venue-a/orders/x', 500, 429],
])(
  'limits of %s are announced before they are reached, and when they are',
  async (bucket, method, path, within, beyond) => {
    const isSubmission = method === 'POST';
    const sending = isSubmission ? { body: '{}', headers: { 'Content-Type': 'application/json' } } : {};
    const answers: Answer[] = [];
    for (let count = 0; count < 5; count++) {
      const parts = isSubmission ? { idempotencyKey: String(count) } : {};
      answers.push(await sendSigned(limited.httpUrl + path, key, { method, ...sending, ...parts }));
    }
    expect(answers[0]!.status).toBe(within);
    expect(answers[0]!.headers).toMatchObject({
      ratelimit: `"${bucket}";r=2;t=1000`,
      'ratelimit-policy': `"${bucket}";q=3;w=3000`,
    });
    const refused = answers.find(it => it.status === beyond && messageOf(it).startsWith('too many'))!;
    expect(messageOf(refused)).toMatch(new RegExp(`^too many ${bucket} `));
    expect(refused.headers).toMatchObject({
      'retry-after': expect.stringMatching(/^[1-9]\d*$/),
      ratelimit: expect.stringMatching(`^"${bucket}";r=0`),
    });
  },
);

it('whoami shows every bucket as it is now', async () => {
  const ask = async () => (await sendSigned(`${limited.httpUrl}/v1/whoami`, key)).json;
  await sendSigned(`${limited.httpUrl}/v1/time`, { ...key, keyId: 'nobody' });
  const whole = { limit: 3, windowS: 3_000, left: 3, resetS: 0 };
  expect(await ask()).toMatchObject({
    rateLimits: [
      { name: 'reads', limit: 3, windowS: 3_000, left: 2, resetS: 1_000 },
      { name: 'submissions', ...whole },
      { name: 'cancels', ...whole },
      { name: 'failed-checks', limit: 4_000, left: 4_000 },
      { name: 'refused-requests', limit: 500 },
    ],
    // No pod of this gateway has an account.
    venueBudgets: null,
  });
  const [reads] = ((await ask()) as { rateLimits: { left: number; resetS: number }[] }).rateLimits;
  expect(reads).toMatchObject({ name: 'reads', left: 1 });
  // A part of the first token has come back with the time that has passed.
  expect(reads!.resetS).toBeGreaterThan(1_000);
  expect(reads!.resetS).toBeLessThanOrEqual(2_000);
});

it('limits of reads hold for messages of a stream, too', async () => {
  const stream = new WebSocket(limited.url, { headers: signedHeaders(key, 'GET', '/v1/orderbook') });
  const answers: { readonly type: string; readonly id: string; readonly message?: string }[] = [];
  const isOver = new Promise<void>(resolve => {
    stream.on('message', data => {
      answers.push(JSON.parse(String(data)));
      if (answers.length === 5) resolve();
    });
  });
  await once(stream, 'open');
  for (let id = 1; id <= 5; id++) {
    const market = { venue: 'venue_b', ticker: 'KXNOBODY' };
    stream.send(JSON.stringify({ op: 'subscribe', id: String(id), channel: 'book', markets: [market] }));
  }
  await isOver;
  stream.terminate();
  const refused = answers.filter(({ message }) => message?.startsWith('too many reads'));
  // The upgrade of the stream took the first of three tokens.
  expect(refused.map(({ type, id }) => `${type} ${id}`)).toEqual(['error 3', 'error 4', 'error 5']);
});

it('an API key has its own reads, and hears when they are used up', async () => {
  const read = () => send(`${limited.httpUrl}/v1/orders`, { headers: { 'x-api-key': limited.apiKey } });
  const answers = [await read(), await read(), await read(), await read()];
  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 429]);
  const message = expect.stringMatching(/^too many reads under this API key/);
  expect(answers[3]!.json).toEqual({ error: { message } });
  expect(answers[3]!.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  expect((await sendSigned(`${limited.httpUrl}/v1/time`, key)).status).toBe(200);
});

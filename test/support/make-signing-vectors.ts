// The published signing vectors, made by the portable implementation. test/fixtures/signing-vectors.json is this function's output, and a
// test compares them. `node test/support/make-signing-vectors.ts` writes the file anew.

import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { canonicalString } from '../../src/core/auth/canonical.ts';
import { publicKeyOf, signPortable } from '../../src/core/auth/key-pair.ts';

export const VECTORS_FILE = 'test/fixtures/signing-vectors.json';

/** The parts of a request that a caller decides. The text of a header is empty if the header is absent. */
interface Request {
  readonly name: string;
  readonly seedHex: string;
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  /** The body in UTF-8. Empty means that the request has no body. */
  readonly body: string;
  readonly idempotencyKey: string;
  readonly notAfter: string;
}

export interface SigningVector extends Request {
  readonly publicKeyHex: string;
  readonly contentSha256: string;
  readonly stringToSign: string;
  readonly signatureBase64: string;
  readonly signatureBase64url: string;
}

/** A seed that everybody knows: for these vectors and nothing else. */
const FIRST_SEED = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const SECOND_SEED = 'c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00';

const PLAIN = {
  seedHex: FIRST_SEED,
  method: 'GET',
  timestamp: '1795237201',
  body: '',
  idempotencyKey: '',
  notAfter: '',
} as const;

const VENUE_B_ORDER = '{"ticker":"KXNBAGAME-26NOV20BOSLAL-BOS","side":"YES","action":"BUY","count":10,"priceCents":53}';
const VENUE_A_ORDER =
  '{"tokenId":"71321045679252212594626385532706912750332728571942532289631379312455583992563","side":"BUY","type":"LIMIT","size":"10","price":"0.53"}';

const REQUESTS: readonly Request[] = [
  { ...PLAIN, name: 'GET without query', target: '/v1/whoami' },
  { ...PLAIN, name: 'GET with query', target: '/v1/venue-a/orders?status=OPEN&pageSize=50' },
  {
    ...PLAIN,
    name: 'GET whose query keeps its order and encoding',
    target: '/v1/markets?q=a%20b+c&q=&venue=venue%5fb',
  },
  {
    ...PLAIN,
    name: 'POST with body and idempotency key',
    method: 'POST',
    target: '/v1/venue-b/orders',
    body: VENUE_B_ORDER,
    idempotencyKey: '019b76da-a800-7000-8000-000000000001',
  },
  {
    ...PLAIN,
    name: 'POST with not-after',
    seedHex: SECOND_SEED,
    method: 'POST',
    target: '/v1/venue-a/orders',
    body: VENUE_A_ORDER,
    idempotencyKey: 'bot-7:2026-11-20:000042',
    notAfter: '1795237202500',
  },
  { ...PLAIN, name: 'DELETE', method: 'DELETE', target: '/v1/venue-b/orders/0192f7a1-5b3c-8d4e-9f60-718293a4b5c6' },
  { ...PLAIN, name: 'upgrade of the stream', seedHex: SECOND_SEED, target: '/v1/orderbook' },
  { ...PLAIN, name: 'ticket', method: 'POST', target: '/v1/orderbook/ticket' },
  {
    ...PLAIN,
    name: 'unicode body',
    seedHex: SECOND_SEED,
    method: 'POST',
    target: '/v1/venue-b/orders',
    body: '{"ticker":"ŽALGIRIS – 76ers","note":"日本 🏀"}',
    idempotencyKey: 'u-1',
  },
];

export function makeSigningVectors(): Promise<SigningVector[]> {
  return Promise.all(
    REQUESTS.map(async request => {
      const contentSha256 = hash('sha256', request.body);
      const stringToSign = canonicalString({ ...request, contentSha256 });
      const signature = Buffer.from(await signPortable(new TextEncoder().encode(stringToSign), request.seedHex));
      return {
        ...request,
        publicKeyHex: await publicKeyOf(request.seedHex),
        contentSha256,
        stringToSign,
        signatureBase64: signature.toString('base64'),
        signatureBase64url: signature.toString('base64url'),
      };
    }),
  );
}

if (import.meta.main) writeFileSync(VECTORS_FILE, `${JSON.stringify(await makeSigningVectors(), null, 2)}\n`);

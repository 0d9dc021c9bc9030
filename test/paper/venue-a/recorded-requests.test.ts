// All 95 recorded requests of the official client, sent byte for byte to venue A's paper exchange. The exchange runs at the clock of the recording.
// HMACs and attestations are valid, and orders get the recorded ids (README of the recordings).

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';
import { TEST_ADDRESS } from '../../support/venue-a-orders.ts';
import { type Answer, eventListing, marketListing, VenueARig } from './venue-a-rig.ts';

interface Recorded {
  readonly n: number;
  readonly call: string;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly mock_status: number;
  readonly mock_response: unknown;
  readonly order_hash?: readonly { readonly hash: string }[];
}

const requests: readonly Recorded[] = recordingsPresent
  ? readFileSync(recordingPath('venue-a/official-client/requests.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Recorded)
  : [];

/**
 * The recording trades both tokens as one market: UP on the domains of both exchanges, DOWN only as neg-risk. So DOWN belongs to another market here.
 */
const UP = '45654842686110167876337056449737479301235917003519988189654649607054904571464';
const DOWN = '84378280634731141017197924889292000863571415141565530467641465700960218022429';
const REGULAR = marketListing({
  conditionId: '0x0c33f1586ca3445a41be2863746ffb0edc32df6500f4926657b2643fe8a78258',
  tokens: [UP, '1'],
  outcomes: ['Up', 'Down'],
  fees: { rate: '0.05', exponent: 1 },
});
const NEG_RISK = marketListing({ id: '502', conditionId: `0x${'d'.repeat(64)}`, tokens: ['2', DOWN], isNegRisk: true });
const FUNDER = `0x${'11'.repeat(20)}`;
const CREDENTIALS = {
  apiKey: '11111111-2222-3333-4444-555555555555',
  secret: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  passphrase: '0123456789abcdef0123456789abcdef',
};

/** The request with an order that the client signed for the exchange of Protocol V2, while its token is of V1. */
const FOR_ANOTHER_PROTOCOL = 49;

/** The answers in which this exchange rightly differs from the exchange in the recording, whose answers were invented. */
const OTHERWISE: ReadonlyMap<number, readonly [status: number, body: unknown]> = new Map([
  // The paper exchange knows the market.
  [15, [200, expect.objectContaining({ condition_id: REGULAR.conditionId })]],
  [FOR_ANOTHER_PROTOCOL, [400, { error: 'order_version_mismatch' }]],
  [61, [200, expect.objectContaining({ status: 'matched', makingAmount: '20' })]],
  [68, [200, expect.objectContaining({ status: 'live' })]],
  [72, [200, expect.objectContaining({ status: 'live' })]],
  [75, [200, expect.objectContaining({ status: 'live' })]],
  // This request is byte for byte the one before it.
  [
    76,
    [
      400,
      { error: expect.stringMatching(/^order 0x[0-9a-f]{64} is invalid\. Duplicated\.$/), orderID: expect.any(String) },
    ],
  ],
]);

/** Returns whether every recorded field is present with a value of the same type. Empty lists are not compared. */
function covers(own: unknown, recorded: unknown): boolean {
  if (Array.isArray(recorded)) {
    return Array.isArray(own) && (own.length === 0 || recorded.length === 0 || covers(own[0], recorded[0]));
  }
  if (typeof recorded !== 'object' || recorded === null) return typeof own === typeof recorded;
  if (typeof own !== 'object' || own === null) return false;
  return Object.entries(recorded).every(([key, inner]) => covers((own as Record<string, unknown>)[key], inner));
}

describe.skipIf(!recordingsPresent)('the 95 requests of the official client (recordings)', () => {
  let rig: VenueARig;
  const answers = new Map<number, Answer>();

  beforeAll(async () => {
    rig = await VenueARig.start({ events: [eventListing([REGULAR]), eventListing([NEG_RISK], '901')] });
    // The client derives the key for nonce 7 in the recording, and creates it for nonce 0.
    rig.access.addKey(TEST_ADDRESS, 7n, CREDENTIALS);
    for (const wallet of [TEST_ADDRESS, FUNDER]) rig.exchange.deposit(wallet, 1_000_000_000 as never);
    rig.exchange.split(TEST_ADDRESS, rig.market(REGULAR), 100_000_000 as never);
    rig.exchange.split(TEST_ADDRESS, rig.market(NEG_RISK), 100_000_000 as never);
    rig.quote(REGULAR, 0, 53, 100);
    rig.quote(REGULAR, 1, 54, 100);
    for (const { n, method, target, headers, body } of requests) {
      const own = Object.entries(headers).filter(([name]) => name.startsWith('POLY_') || name === 'User-Agent');
      answers.set(n, await rig.send(method, target, body ?? '', Object.fromEntries(own)));
    }
  });
  afterAll(() => rig.close());

  it('are 95', () => {
    expect(answers.size).toBe(95);
  });

  it.each(requests)('$n $call: $method $target', ({ n, mock_status }) => {
    const { status, body } = answers.get(n)!;
    const [otherStatus, otherBody] = OTHERWISE.get(n) ?? [mock_status, body];
    expect(body).toEqual(otherBody);
    expect(status).toBe(otherStatus);
  });

  it.each(requests.filter(({ n, order_hash }) => order_hash !== undefined && n !== FOR_ANOTHER_PROTOCOL))(
    '$n $call: under its id',
    request => {
      const { body } = answers.get(request.n)!;
      const ids = [body].flat().map(leg => leg.orderID);
      expect(ids).toEqual(request.order_hash!.map(({ hash }) => hash));
    },
  );

  it('are answered in the shapes of the recording, where it has one', () => {
    const comparable = requests.filter(({ n, mock_status }) => mock_status === 200 && !OTHERWISE.has(n));
    const differing = comparable.filter(({ n, mock_response }) => !covers(answers.get(n)!.body, mock_response));
    expect(differing.map(({ n }) => n)).toEqual([]);
  });
});

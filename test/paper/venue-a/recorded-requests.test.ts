// All 95 requests that the official client has been recorded to send, byte for byte, to venue A's paper exchange. It runs at the clock of
// the recording. HMACs and attestations hold, and orders are taken under the recorded ids (README of the recordings).

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

/** The first is traded on both exchanges' domains, the second, of the same market there, only as neg-risk: so it is another's here. */
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

/** The client signed it for the exchange of Protocol V2; its token is of V1. */
const FOR_ANOTHER_PROTOCOL = 49;

/** Answers in which this exchange rightly differs from the recording's exchange, which made its answers up. */
const OTHERWISE: ReadonlyMap<number, readonly [status: number, body: unknown]> = new Map([
  // It knows the market.
  [15, [200, expect.objectContaining({ condition_id: REGULAR.conditionId })]],
  [FOR_ANOTHER_PROTOCOL, [400, { error: 'order_version_mismatch' }]],
  [61, [200, expect.objectContaining({ status: 'matched', makingAmount: '20' })]],
  [68, [200, expect.objectContaining({ status: 'live' })]],
  [72, [200, expect.objectContaining({ status: 'live' })]],
  [75, [200, expect.objectContaining({ status: 'live' })]],
  // Byte for byte as the one before.
  [
    76,
    [
      400,
      { error: expect.stringMatching(/^order 0x[0-9a-f]{64} is invalid\. Duplicated\.$/), orderID: expect.any(String) },
    ],
  ],
]);

/** Whether every field that was recorded is there, with a value of its kind; lists that are empty say nothing. */
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
    // It is derived for nonce 7 in the recording, and made for nonce 0.
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

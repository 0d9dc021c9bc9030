// GET /v1/venue-a/markets/{tokenId} and /v1/venue-b/markets/{ticker} through the whole gateway, on the paper exchanges.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MarketKey, marketAddress } from '../../src/core/domain/market.ts';
import { answerProblems } from '../support/contract-schema.ts';
import { eventually } from '../support/eventually.ts';
import type { RunningGateway } from '../support/running-gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { sendSigned } from '../support/signed-requests.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await sharedGateway();
});
afterAll(() => gateway.close());

async function read(venue: 'a' | 'b', address: string) {
  const url = `${gateway.httpUrl}/v1/venue-${venue}/markets/${address}`;
  const { status, headers, json } = await sendSigned(url, gateway.key);
  expect(answerProblems(`getVenue${venue.toUpperCase()}Market`, status, headers, json)).toEqual([]);
  return { status, json: json as Record<string, unknown> };
}

const some = (venue: MarketKey['venue']) => marketAddress(gateway.markets.find(it => it.venue === venue)!);

describe.each(['a', 'b'] as const)('venue %s', venue => {
  const address = () => some(`venue_${venue}`);

  it('has the terms and a live book with levels', async () => {
    await eventually(async () => {
      const { status, json } = await read(venue, address());
      expect(status).toBe(200);
      expect(json).toMatchObject({ status: 'OPEN', book: { state: 'LIVE' } });
      expect(json.fees).toMatchObject({ exponent: 1 });
      const { bids, asks } = json.book as { bids: unknown[]; asks: unknown[] };
      expect(bids.length + asks.length).toBeGreaterThan(0);
    });
  });

  it('is 404 of a market that does not exist', async () => {
    const { status, json } = await read(venue, venue === 'a' ? '12345' : 'KXNOSUCHMARKET-1');
    expect({ status, json }).toMatchObject({ status: 404, json: { error: { code: 'NOT_FOUND' } } });
  });

  it('is 400 of what cannot be one', async () => {
    const { status, json } = await read(venue, venue === 'a' ? 'abc' : 'lower-case');
    const field = venue === 'a' ? 'tokenId' : 'ticker';
    expect(status).toBe(400);
    expect((json.error as { message: string }).message).toMatch(new RegExp(`^${field}: must be`));
  });
});

// The feeds of the gateway listen to the paper exchanges until their books are LIVE.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VenueTarget } from '../../../src/market-data/feeds/feed-messages.ts';
import { readStreamDrift } from '../../../src/market-data/feeds/stream-drift.ts';
import { createDemoAccounts } from '../../../src/paper/control/demo-accounts.ts';
import { demoPod } from '../../../src/paper/demo-pod.ts';
import type { Paper } from '../../../src/paper/paper.ts';
import { POLYGON } from '../../../src/venues/venue-a/exchanges.ts';
import { ask, someTicker, someToken } from '../../support/paper-traders.ts';
import { startQuietPaper } from '../../support/quiet-paper.ts';

let paper: Paper;
const targets = new Map<string, { readonly target: VenueTarget; readonly addresses: readonly string[] }>();

beforeAll(async () => {
  const accounts = await createDemoAccounts(POLYGON);
  paper = await startQuietPaper(accounts);
  const { venueA, venueB } = paper.urls;
  const { keyId, privateKeyPem } = demoPod(accounts, paper.urls).venueB!;
  const atB = { restUrl: venueB.rest, streamUrl: venueB.stream, keyId, privateKeyPem };
  targets.set('venue_a', {
    target: { venue: 'venue_a', restUrl: venueA.rest, streamUrl: venueA.marketStream },
    addresses: [await someToken(venueA.gamma), await somePosition(venueA.gamma)],
  });
  targets.set('venue_b', { target: { venue: 'venue_b', ...atB }, addresses: [await someTicker(venueB.rest)] });
});

/** Returns a token of Protocol V2. */
async function somePosition(gammaUrl: string): Promise<string> {
  const { body } = await ask<readonly { version: string; positionIds: string[] }[]>(
    `${gammaUrl}/markets?limit=500&closed=false`,
  );
  return body.find(({ version }) => version === 'v2')!.positionIds[0]!;
}
afterAll(() => paper.close());

describe.each(['venue_a', 'venue_b'])('the stream of %s', venue => {
  it('has live books, and no frame that is not understood', async () => {
    const { target, addresses } = targets.get(venue)!;
    const { length: markets } = addresses;
    const whole = { venue, markets, live: markets, unreadable: 0, unknownTypes: 0 };
    expect(await readStreamDrift(target, addresses, 0)).toEqual(whole);
  });

  it('has no live book of a market that is not there', async () => {
    const { target } = targets.get(venue)!;
    expect(await readStreamDrift(target, ['1'], 0)).toMatchObject({ markets: 1, live: 0 });
  });
});

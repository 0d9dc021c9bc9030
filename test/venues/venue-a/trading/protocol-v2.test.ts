// An account that trades tokens of both protocols of venue A side by side: our adapter against the paper exchange.

import { beforeEach, expect, it } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { VenueAOrderRequest } from '../../../../src/core/domain/order-request.ts';
import { silentLog } from '../../../../src/core/runtime/log.ts';
import { missingApprovals } from '../../../../src/venues/venue-a/approvals.ts';
import { eventListing, REGULAR, SECOND_PROTOCOL } from '../../../paper/venue-a/venue-a-rig.ts';
import { outboundBy } from '../../../support/outbound-by.ts';
import { Ear } from '../../trading-rig.ts';
import { limit, shares, TradingRig } from './trading-rig.ts';

let rig: TradingRig;
beforeEach(async () => {
  rig = await TradingRig.start();
});

const [OVER] = SECOND_PROTOCOL.tokens;
const buy = (tokenId: string) => ({ ...limit('BUY', 50, 10), tokenId }) as VenueAOrderRequest;

it.each([
  ['V1', REGULAR],
  ['V2', SECOND_PROTOCOL],
] as const)('an order of protocol %s rests, fills, is found, and is cancelled', async (_protocol, listing) => {
  const [tokenId] = listing.tokens;
  const { order, intent, outcome } = await rig.place(buy(tokenId));
  expect(outcome).toMatchObject({ type: 'accepted', state: 'rests', venueOrderId: intent.venueOrderId });
  rig.venue.quote(listing, 1, 50, 4, 'take');
  const found = { type: 'found', state: 'rests', stated: { size: shares(4) } };
  expect(await rig.trading.lookUp(order, intent, rig.in(5_000))).toMatchObject(found);
  const resting = { ...order, venueOrderId: intent.venueOrderId };
  expect(await rig.trading.cancel(resting, rig.in(5_000))).toMatchObject({ type: 'cancelled' });
  expect(await rig.trading.holding(tokenId)).toEqual({ ok: true, value: shares(4) });
});

it.each([
  ['V1', REGULAR],
  ['V2', SECOND_PROTOCOL],
] as const)('the user channel reports an order of protocol %s and its fill', async (_protocol, listing) => {
  const ear = await Ear.up(rig.trading);
  const [address] = listing.tokens;
  const { intent } = await rig.place(buy(address));
  rig.venue.quote(listing, 1, 50, 4, 'take');
  await ear.until(() => ear.fills.length > 0);
  expect(ear.fills).toMatchObject([{ address, size: shares(4), venueOrderId: intent.venueOrderId }]);
  expect(ear.events).toContainEqual(
    expect.objectContaining({ type: 'order', order: expect.objectContaining({ address, state: 'rests' }) }),
  );
  expect(ear.count('unread')).toBe(0);
  ear.stop();
});

it.each([
  ['V1', REGULAR],
  ['V2', SECOND_PROTOCOL],
] as const)('a purchase of protocol %s has its fee on top', async (_protocol, plain) => {
  const listing = { ...plain, fees: { rate: '0.05', exponent: 1 as const } };
  const charged = await TradingRig.start({ events: [eventListing([listing])] });
  const available = async () => {
    const balance = await charged.trading.balance();
    return balance.ok ? balance.value.available : Number.NaN;
  };
  const before = await available();
  charged.venue.quote(listing, 1, 50, 100);
  await charged.place(buy(listing.tokens[0]));
  expect(await charged.trading.fillsSince(0 as UnixMillis)).toMatchObject({
    value: { rows: [{ address: listing.tokens[0], size: shares(10), liquidity: 'TAKER', fee: 125_000 }] },
  });
  expect(before - (await available())).toBe(5_125_000);
});

it.each([
  ['a winner', 0, 10_000],
  ['a loser', 1, 0],
  ['a half', null, 5_000],
] as const)('what %s of protocol V2 pays is in its resolution', async (_what, winner, ticks) => {
  expect(await rig.trading.payoutOf(OVER)).toEqual({ ok: true, value: null });
  rig.venue.exchange.resolutions.resolve(rig.venue.market(SECOND_PROTOCOL), winner);
  expect(await rig.trading.payoutOf(OVER)).toEqual({ ok: true, value: ticks });
});

it('an order without the approval of protocol V2 is refused in the venue’s words', async () => {
  rig.venue.exchange.approve(rig.wallet.address, 'PusdV2Exchange', false);
  const error = { message: expect.stringContaining('allowance') };
  const { outcome } = await rig.place(buy(OVER));
  expect(outcome).toMatchObject({ type: 'refused', kind: 'insufficientBalance', error });
  expect((await rig.place(buy(REGULAR.tokens[0]))).outcome).toMatchObject({ type: 'accepted' });
});

it('a start says which approvals of protocol V2 the wallet lacks', async () => {
  const said = Promise.withResolvers<unknown>();
  const log = { ...silentLog, warn: (message: string, fields?: object) => said.resolve([message, fields]) };
  const watched = await TradingRig.start({}, {}, { log });
  watched.venue.exchange.approve(watched.wallet.address, 'V2PositionManagerExchangeIsApprovedForAll', false);
  await watched.trading.warmUp();
  const words = await said.promise;
  const missing = 'V2PositionManagerExchangeIsApprovedForAll (sales)';
  const wallet = watched.account.funder;
  expect(words).toEqual(['approvals are missing', { venue: 'venue_a', wallet, missing }]);
});

it('a start does not wait for the answer about approvals', async () => {
  const asked = Promise.withResolvers<string>();
  const outboundData = outboundBy(({ target }) => {
    asked.resolve(target);
    return new Promise(() => {});
  });
  const waiting = await TradingRig.start({}, {}, { outboundData });
  await waiting.trading.warmUp();
  expect(await asked.promise).toBe(`/v2/approvals?user=${waiting.account.funder}`);
});

it('an answer that lists no approvals says nothing of them', () => {
  expect(missingApprovals({ data: null })).toBeNull();
  expect(missingApprovals({ data: { contracts: [{ id: 'PusdV2Exchange', approved: 'true' }] } })).toHaveLength(4);
});

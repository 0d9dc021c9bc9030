// Found by review: venue A's CLOB answers for a wallet's dollars from a cache, which is refreshed on request only (venue-a.md §3.7). The gateway
// asked for that before holdings, and never before a balance. After a deposit `available` stayed as it was; after a withdrawal it was too large.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { dollars, TradingRig } from '../venues/venue-a/trading/trading-rig.ts';

let rig: TradingRig;

beforeEach(async () => {
  rig = await TradingRig.start();
});

afterEach(() => rig.close());

const available = async () => {
  const balance = await rig.trading.balance();
  return balance.ok ? balance.value.available : balance.error.message;
};

it('a deposit and a withdrawal are shown within two seconds', async () => {
  const { exchange, timers } = rig.venue;
  const before = await available();
  expect(before).toBeGreaterThan(0);
  timers.advance(2_000);
  exchange.deposit(rig.wallet.address, dollars(250));
  expect(await available()).toBe(Number(before) + dollars(250));
  exchange.deposit(rig.wallet.address, -dollars(300) as never);
  // The venue is asked to look again so often, and no more often.
  expect(await available()).toBe(Number(before) + dollars(250));
  timers.advance(2_000);
  expect(await available()).toBe(Number(before) - dollars(50));
});

it('a balance is the last known one while the venue cannot look again', async () => {
  const before = await available();
  rig.venue.timers.advance(2_000);
  rig.strike('GET /balance-allowance/update', { kind: 'status', status: 500, isApplied: false });
  expect(await available()).toBe(before);
});

// How long venue A's exchange remembers: ids of orders, positions in markets that are over, conversions. None of it without end.

import { describe, expect, it } from 'vitest';
import { limits } from '../../../../src/limits.ts';
import type { ClientOrder } from '../../../../src/paper/venue-a/client-order.ts';
import { OrderLedger } from '../../../../src/paper/venue-a/order-ledger.ts';
import { CoreRig, gameWith, listing, shares, walletOf } from './core-rig.ts';

/** What the ledger looks at. */
function order(orderId: string): ClientOrder {
  return { orderId, owner: 'key', newer: null, older: null, engineId: null } as Partial<ClientOrder> as ClientOrder;
}

describe('the id of an order', () => {
  it('is known as long as the order stands, however many come after', () => {
    const ledger = new OrderLedger();
    ledger.add(order('stands'));
    const ended = order('ended');
    ledger.add(ended);
    ledger.end(ended);
    for (let number = 0; number < limits.paperVenueAKnownOrdersMax; number += 1) {
      const later = order(`later-${number}`);
      ledger.add(later);
      ledger.end(later);
    }
    expect(ledger.isKnown('stands')).toBe(true);
    expect(ledger.isKnown('later-0')).toBe(true);
    expect(ledger.isKnown('ended')).toBe(false);
  });
});

describe('a wallet', () => {
  it('keeps its positions in the last markets that are over, and in all that are not', () => {
    const rig = new CoreRig({ cash: 10_000 });
    const [ann, max] = [walletOf('ann'), limits.paperVenueAPastMarketsPerWalletMax];
    rig.exchange.split(ann, rig.market, shares(1));
    for (let number = 0; number < max + 2; number += 1) {
      const conditionId = `0x${number.toString(16).padStart(64, '0')}`;
      const tokens = [`${number}-first`, `${number}-second`] as const;
      rig.exchange.list([gameWith([listing('c', { conditionId, tokens })])]);
      const market = rig.exchange.markets.get(conditionId)!;
      rig.exchange.split(ann, market, shares(1));
      rig.exchange.resolve(market, 0);
      rig.exchange.forgetEnded(rig.timers.now());
    }
    const conditions = [...rig.exchange.positions(ann)].map(({ market }) => market.conditionId);
    expect(new Set(conditions).size).toBe(max + 1);
    expect(conditions).toContain(rig.market.conditionId);
    expect(conditions).not.toContain(`0x${'0'.repeat(64)}`);
    const { wallets, house, escrow, pots, fees, deposited } = rig.exchange.audit();
    expect(wallets + house + escrow + pots + fees).toBe(deposited);
  });

  it('keeps its last splits, merges and redemptions, newest first', () => {
    const rig = new CoreRig();
    const [ann, max] = [walletOf('ann'), limits.paperVenueAConversionsPerWalletMax];
    for (let number = 0; number < max; number += 1) rig.exchange.split(ann, rig.market, shares(0.1));
    rig.exchange.merge(ann, rig.market, shares(2));
    expect(rig.exchange.merge(ann, rig.market, shares(1_000))).toBe(false);
    rig.exchange.resolve(rig.market, null);
    rig.exchange.redeem(ann, rig.market);
    expect(rig.exchange.redeem(ann, rig.market)).toBe(0);
    const kept = [...rig.exchange.conversions(ann)];
    expect(kept).toHaveLength(max);
    expect(kept.slice(0, 3)).toMatchObject([
      { type: 'REDEEM', size: shares(196), dollars: shares(98), market: rig.market },
      { type: 'MERGE', size: shares(2), dollars: shares(2) },
      { type: 'SPLIT', size: shares(0.1), dollars: shares(0.1) },
    ]);
    expect([...rig.exchange.conversions(walletOf('bob'))]).toEqual([]);
  });
});

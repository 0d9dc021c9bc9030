// How long venue A's exchange remembers order ids, ended orders, trades, positions in closed markets, and conversions. All of them have a bound.

import { describe, expect, it } from 'vitest';
import { ASK } from '../../../../src/core/domain/market.ts';
import { limits } from '../../../../src/limits.ts';
import type { ClientOrder } from '../../../../src/paper/venue-a/client-order.ts';
import { OrderLedger } from '../../../../src/paper/venue-a/order-ledger.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';
import { CoreRig, gameWith, listing, shares, tokensOf, walletOf } from './core-rig.ts';

/** An order with the fields that the ledger reads. */
function order(orderId: string): ClientOrder {
  const links = { newer: null, older: null, engineId: null };
  return { orderId, owner: 'key', ...links, forgetPast: () => {} } as Partial<ClientOrder> as ClientOrder;
}

describe('the id of an order', () => {
  it('is known as long as the order stands, however many come after', () => {
    const ledger = new OrderLedger({ ms: 0, timers: new VirtualTimers() });
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
    expect(ledger.isKnown(`later-${limits.paperVenueAKnownOrdersMax / 2}`)).toBe(true);
    expect(ledger.isKnown('ended')).toBe(false);
  });
});

describe('an order that has ended', () => {
  const end = (rig: CoreRig, times: number) =>
    Array.from({ length: times }, () => {
      const placed = rig.placed('bob', 'buy yes 5 @ 1');
      rig.cancel('bob', placed);
      return placed;
    });

  it('is known while it is young, and then among the last ones', () => {
    const rig = new CoreRig({ cash: 10_000 });
    const max = limits.paperVenueAEndedOrdersMax;
    const stands = rig.placed('ann', 'buy yes 5 @ 1');
    const [first, ...others] = end(rig, max + 100);
    rig.timers.advance(limits.paperYoungMs - 1);
    end(rig, 1);
    expect(rig.order('bob', first!)?.status).toBe('CANCELED');
    rig.timers.advance(1);
    end(rig, 1);
    expect([first!, others[100]!, others[101]!].map(it => rig.order('bob', it)?.status ?? null)).toEqual([
      null,
      null,
      'CANCELED',
    ]);
    expect([...rig.cancel('bob', first!).notCanceled.values()]).toEqual(['Order not found or already canceled']);
    expect(rig.order('ann', stands)?.status).toBe('LIVE');
  });

  it('is seen as it was for as long as reads may lag', () => {
    const rig = new CoreRig();
    const [first] = end(rig, 1);
    rig.timers.advance(limits.paperStaleMsMax - 1);
    end(rig, 1);
    expect(rig.open('bob', limits.paperStaleMsMax - 1)).toEqual([]);
    const standing = rig.placed('bob', 'buy yes 5 @ 1');
    rig.timers.advance(1_000);
    rig.cancel('bob', standing);
    rig.timers.advance(limits.paperStaleMsMax - 1);
    end(rig, 1);
    expect(rig.open('bob', limits.paperStaleMsMax).map(it => it.orderId)).toEqual([standing.order.orderId]);
    expect(rig.order('bob', standing, limits.paperStaleMsMax)?.status).toBe('LIVE');
    expect(rig.order('bob', first!, limits.paperStaleMsMax)?.status).toBe('CANCELED');
  });
});

describe('trades', () => {
  it('are all kept while they are young, and then as many as there is room for', () => {
    const rig = new CoreRig({ cash: 100_000 });
    const trade = (times: number): void => {
      for (let time = 0; time < times; time += 1) {
        rig.placed('bob', 'buy no 5 @ 60');
        rig.placed('ann', 'buy yes 5 @ 40');
        rig.events.length = 0;
      }
    };
    const { exchange } = rig;
    const kept = (): number[] => {
      const lists = [
        rig.trades('ann'),
        rig.trades('bob'),
        exchange.tradesOfMarket(rig.market),
        exchange.tradesOfWallet(walletOf('ann')),
      ];
      return lists.map(list => [...list].length);
    };
    const count = limits.paperVenueATradesMax + 500;
    trade(count);
    expect(kept()).toEqual([count, count, count, count]);
    rig.timers.advance(limits.paperYoungMs);
    trade(5);
    const { paperVenueATradesMax: max, paperVenueATradesPerCallerMax: perCaller } = limits;
    expect(kept()).toEqual([perCaller, perCaller, max, perCaller]);
    expect(rig.held('ann')).toEqual([5 * (count + 5), 0]);
  });

  it('may take more orders of the house than the engine remembers', () => {
    const rig = new CoreRig({ cash: 10_000 });
    const orders = limits.paperEndedOrdersMax + 1;
    for (let order = 0; order < orders; order += 1) rig.quote(ASK, 0.01, 40);
    rig.events.length = 0;
    const { trades } = rig.placed('ann', `buy yes ${orders / 100} @ 40`);
    expect(trades[0]?.makers).toHaveLength(orders);
    expect(trades[0]?.makers[0]).toMatchObject({ token: 1, isBuy: true, price: 6_000, size: shares(0.01) });
  });
});

describe('a wallet', () => {
  it('keeps its positions in the last markets that are over, and in all that are not', () => {
    const rig = new CoreRig({ cash: 10_000 });
    const [ann, max] = [walletOf('ann'), limits.paperVenueAPastMarketsPerWalletMax];
    rig.exchange.split(ann, rig.market, shares(1));
    for (let number = 0; number < max + 2; number += 1) {
      const conditionId = `0x${number.toString(16).padStart(64, '0')}`;
      const tokens = tokensOf(String(number));
      rig.exchange.list([gameWith([listing('c', { conditionId, tokens })])]);
      const market = rig.exchange.markets.get(conditionId)!;
      rig.exchange.split(ann, market, shares(1));
      rig.exchange.resolutions.resolve(market, 0);
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
    rig.exchange.resolutions.resolve(rig.market, null);
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

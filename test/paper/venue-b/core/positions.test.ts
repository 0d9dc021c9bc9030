// Positions and money (venue-b.md §5.6, §6, §11): netting, what a position has cost, what closing it brought in, what all is worth.

import { describe, expect, it } from 'vitest';
import { cents, contracts, dollars, Rig } from './rig.ts';

/** One cent a contract, each way. */
type Row = [
  what: string,
  takes: string[],
  position: number,
  exposure: number,
  realizedPnl: number,
  traded: number,
  volume: number,
];

const rows: Row[] = [
  ['buys YES', ['bid 10 @ 40'], 10, 4, 0, 4, 10],
  ['buys NO', ['ask 10 @ 40'], -10, 6, 0, 6, 10],
  ['adds at another price', ['bid 10 @ 40', 'bid 10 @ 60'], 20, 10, 0, 10, 20],
  ['sells a part with profit', ['bid 10 @ 40', 'ask 4 @ 50'], 6, 2.4, 0.4, 6, 14],
  ['sells all with loss', ['bid 10 @ 40', 'ask 10 @ 30'], 0, 0, -1, 7, 20],
  ['closes NO', ['ask 10 @ 40', 'bid 5 @ 30'], -5, 3, 0.5, 9.5, 15],
  ['turns around', ['bid 10 @ 40', 'ask 15 @ 50'], -5, 2.5, 1, 11.5, 25],
];

describe('a position', () => {
  it.each(rows)('%s', (_what, takes, position, exposure, realizedPnl, traded, volume) => {
    const rig = new Rig();
    for (const text of takes) {
      rig.quote(text.startsWith('bid') ? text.replace('bid', 'ask') : text.replace('ask', 'bid'));
      rig.order(rig.ann, text);
    }
    const reads = rig.exchange.reads(0);
    const [record] = reads.positions(rig.ann);
    expect(record).toMatchObject({
      position: contracts(position),
      exposure: dollars(exposure),
      realizedPnl: dollars(realizedPnl),
      traded: dollars(traded),
      volume: contracts(volume),
      isSettled: false,
    });
    expect(reads.balance(rig.ann).available).toBe(dollars(1_000 + realizedPnl - exposure));
  });

  it('carries its fees, and those of what is held', () => {
    const rig = new Rig({ feeMultiplier: '1' });
    rig.quote('ask 10 @ 50');
    rig.order(rig.ann, 'bid 10 @ 50');
    rig.quote('bid 10 @ 50');
    rig.order(rig.ann, 'ask 5 @ 50');
    const [record] = rig.exchange.reads(0).positions(rig.ann);
    expect(record).toMatchObject({ fees: dollars(0.175 + 0.0875), heldFees: dollars(0.0875) });
  });

  it('is worth the middle of the book, or the last price, or what it has cost', () => {
    const rig = new Rig();
    const worth = () => rig.exchange.reads(0).balance(rig.ann).portfolioValue;
    rig.quote('bid 10 @ 40');
    rig.order(rig.ann, 'ask 10 @ 40');
    expect(worth()).toBe(dollars(6));
    rig.quote('bid 1 @ 30');
    rig.quote('ask 1 @ 45');
    expect(worth()).toBe(dollars(6.25));
    rig.exchange.life.determine(rig.market(), cents(0));
    expect(worth()).toBe(dollars(10));
  });

  it('makers pay their fee, and their fill says they made it', () => {
    const rig = new Rig({ feeMultiplier: '1' });
    rig.order(rig.ann, 'bid 100 @ 50');
    rig.quote('ask 100 @ 50', 'M', 'take');
    const [fill] = rig.exchange.reads(0).fills(rig.ann);
    expect(fill).toMatchObject({ isTaker: false, fee: dollars(0.4375), positionAfter: contracts(100) });
    const [order] = rig.exchange.reads(0).orders(rig.ann);
    expect(order).toMatchObject({ makerFees: dollars(0.4375), makerFillCost: dollars(50), takerFees: 0 });
  });

  it('both fills of a match carry its trade', () => {
    const rig = new Rig();
    rig.order(rig.ann, 'bid 5 @ 50');
    rig.order(rig.bob, 'ask 3 @ 50');
    const reads = rig.exchange.reads(0);
    const trades = [reads.fills(rig.ann), reads.fills(rig.bob)].map(fills => [...fills][0]?.trade);
    const [trade] = rig.exchange.trades(null);
    expect(trades).toEqual([trade, trade]);
    expect([...rig.exchange.trades(rig.market())]).toEqual([trade]);
    expect([...rig.exchange.trades(rig.market('TAPERED'))]).toEqual([]);
    expect(rig.market()).toMatchObject({ lastPrice: cents(50), volume: contracts(3), openInterest: contracts(3) });
  });

  it('money can be taken out as far as it is free', () => {
    const rig = new Rig();
    rig.order(rig.ann, 'bid 100 @ 40');
    expect(rig.exchange.deposit(rig.ann, dollars(-961))).toBe(false);
    expect(rig.exchange.deposit(rig.ann, dollars(-960))).toBe(true);
    expect(rig.exchange.reads(0).balance(rig.ann).available).toBe(0);
    expect(rig.exchange.deposit({ ...rig.ann, subaccount: -1 }, dollars(1))).toBe(false);
  });
});

// A settlement that fails undoes the fill: all parties have what they had before. Until then they see the shares and the money, but cannot pass them
// on. No money appears or vanishes.

import { describe, expect, it } from 'vitest';
import { ASK } from '../../../../src/core/domain/market.ts';
import { CoreRig, dollars, shares, walletOf } from './core-rig.ts';

const FEES = { first: { fees: { rate: '0.05', exponent: 1 as const } } };
const NAMES = ['ann', 'bob', 'cat'];

/** Returns everything that can be seen of money, shares and positions. */
function belongings(rig: CoreRig): unknown {
  return NAMES.map(name => [rig.cash(name), rig.held(name), rig.position(name, 0), rig.position(name, 1)]);
}

function expectNoMoneyLost(rig: CoreRig): void {
  const { wallets, house, escrow, owed, pots, fees, deposited } = rig.exchange.audit();
  expect(wallets + house + escrow + pots + fees).toBe(deposited);
  expect(escrow).toBe(owed);
}

describe('a settlement that fails', () => {
  const ways: [name: string, resting: string, taking: string][] = [
    ['shares handed on', 'sell yes 10 @ 60', 'buy yes 10 @ 60'],
    ['shares handed on to who rests', 'buy no 10 @ 60', 'sell no 10 @ 60'],
    ['pairs minted', 'buy no 10 @ 40', 'buy yes 10 @ 65'],
    ['pairs merged', 'sell no 10 @ 40', 'sell yes 10 @ 60'],
  ];

  it.each(ways)('is undone: %s', (_name, resting, taking) => {
    const rig = new CoreRig(FEES);
    for (const name of NAMES) rig.exchange.split(walletOf(name), rig.market, shares(100));
    const before = belongings(rig);
    rig.faults.fate = 'fails';
    const maker = rig.placed('ann', resting);
    const { trades } = rig.placed('bob', taking);
    expect(trades[0]!.takerFee).toBeGreaterThan(0);
    expect(belongings(rig)).not.toEqual(before);
    rig.reported();
    rig.timers.advance(5_000);
    expect(rig.reported()).toEqual([expect.stringMatching(/^trade-status FAILED/)]);
    expect(rig.trades('ann')[0]).toMatchObject({ status: 'FAILED', transactionHash: trades[0]!.transactionHash });
    expect(belongings(rig)).toEqual(before);
    // The trade remains in the book, since only the settlement on the chain is missing.
    expect(rig.order('ann', maker)).toMatchObject({ status: 'MATCHED', matched: shares(10) });
    expectNoMoneyLost(rig);
  });

  it.each(ways)('looks like any other until then: %s', (_name, resting, taking) => {
    const [good, bad] = [new CoreRig(FEES), new CoreRig(FEES)];
    bad.faults.fate = 'fails';
    for (const rig of [good, bad]) {
      for (const name of NAMES) rig.exchange.split(walletOf(name), rig.market, shares(100));
      rig.placed('ann', resting);
      rig.placed('bob', taking);
      rig.timers.advance(1_999);
    }
    const seen = (rig: CoreRig) => [
      rig.reported(),
      NAMES.map(name => [rig.cash(name), rig.held(name), rig.position(name)?.cost, rig.position(name)?.realizedPnl]),
    ];
    expect(seen(bad)).toEqual(seen(good));
  });

  it('with several makers, the house among them, and the taker itself', () => {
    const rig = new CoreRig(FEES);
    rig.exchange.split(walletOf('bob'), rig.market, shares(10));
    rig.placed('ann', 'buy no 10 @ 42');
    rig.placed('bob', 'sell yes 10 @ 59');
    rig.placed('cat', 'buy no 10 @ 41');
    rig.quote(ASK, 10, 60);
    const before = NAMES.map(name => rig.held(name));
    const cash = NAMES.map(name => rig.cash(name));
    rig.faults.fate = 'fails';
    rig.placed('bob', 'buy yes 40 @ 60');
    expect(rig.held('bob')).toEqual([40, 10]);
    rig.timers.advance(5_000);
    expect(NAMES.map(name => rig.held(name))).toEqual(before);
    expect(NAMES.map(name => rig.cash(name))).toEqual(cash);
    expectNoMoneyLost(rig);
  });

  it('has brought nothing that could be handed on', () => {
    const rig = new CoreRig({ cash: 10 });
    rig.faults.fate = 'fails';
    rig.exchange.split(walletOf('ann'), rig.market, shares(10));
    rig.placed('ann', 'sell yes 10 @ 60');
    rig.placed('bob', 'buy yes 10 @ 60');
    // Bob sees ten shares, Ann six dollars.
    expect([rig.held('bob'), rig.cash('ann')]).toEqual([[10, 0], 6]);
    expect(rig.refusal('bob', 'sell yes 10 @ 60')).toBe('not-enough-balance');
    expect(rig.refusal('ann', 'buy yes 10 @ 60')).toBe('not-enough-balance');
    expect(rig.exchange.deposit(walletOf('ann'), dollars(-6))).toBe(false);
    rig.timers.advance(5_000);
    expect([rig.held('bob'), rig.held('ann'), rig.cash('ann'), rig.cash('bob')]).toEqual([[0, 0], [10, 10], 0, 10]);
  });

  it('fails before its market pays out', () => {
    const rig = new CoreRig();
    rig.faults.fate = 'fails';
    rig.placed('ann', 'buy yes 10 @ 60');
    rig.placed('bob', 'buy no 10 @ 40');
    rig.exchange.resolutions.resolve(rig.market, 0);
    expect(rig.trades('bob')[0]!.status).toBe('FAILED');
    expect(rig.exchange.redeem(walletOf('ann'), rig.market)).toBe(0);
    expect([rig.cash('ann'), rig.cash('bob')]).toEqual([1_000, 1_000]);
    rig.timers.advance(10_000);
    expect(rig.trades('bob')[0]!.status).toBe('FAILED');
    expectNoMoneyLost(rig);
  });

  it('leaves positions what remains of them when their shares were averaged with others and sold', () => {
    const rig = new CoreRig();
    rig.quote(ASK, 10, 50);
    rig.placed('ann', 'buy yes 10 @ 50');
    rig.faults.fate = 'fails';
    rig.quote(ASK, 10, 70);
    rig.placed('ann', 'buy yes 10 @ 70');
    rig.faults.fate = null;
    rig.placed('bob', 'buy yes 10 @ 60');
    rig.placed('ann', 'sell yes 10 @ 60');
    // At the average price of 60 the sale made no profit. Without the failed trade, the shares had cost 50.
    expect(rig.position('ann')).toMatchObject({ size: shares(10), cost: dollars(6), realizedPnl: 0 });
    rig.timers.advance(5_000);
    expect(rig.position('ann')).toMatchObject({ size: 0, cost: 0, realizedPnl: dollars(1), bought: shares(10) });
    expect(rig.cash('ann')).toBe(1_001);
  });
});

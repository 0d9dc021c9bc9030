// Changes of venue A's markets while the exchange runs: ticks get finer near the ends of the price range, and games are listed and delisted.

import { describe, expect, it } from 'vitest';
import { ASK, BID } from '../../../../src/core/domain/market.ts';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import { CoreRig, gameWith, HOUR_MS, listing, START, shares, tokensOf, walletOf } from './core-rig.ts';

const REFINED = 'tick-size 0.01 to 0.001';

describe('the tick', () => {
  it.each([
    ['above 0.96', 96, 97],
    ['below 0.04', 3, 4],
  ])('gets finer by itself when the middle of the book is %s, after all other events', (_where, bid, ask) => {
    const rig = new CoreRig();
    rig.quote(BID, 10, bid);
    rig.quote(ASK, 10, ask);
    expect([rig.market.tickSize, rig.reported().at(-1)]).toEqual(['0.001', REFINED]);
    expect(rig.refusal('ann', `buy yes 10 @ ${bid + 0.1}`)).toBe('taken');
  });

  it.each([
    ['at 0.96', 95, 97],
    ['at 0.04', 3, 5],
    ['in between', 40, 60],
  ])('stays with the middle %s', (_where, bid, ask) => {
    const rig = new CoreRig();
    rig.quote(BID, 10, bid);
    rig.quote(ASK, 10, ask);
    expect(rig.market.tickSize).toBe('0.01');
  });

  it('goes by the last trade while a side is empty', () => {
    const rig = new CoreRig();
    rig.quote(ASK, 10, 97);
    expect(rig.market.tickSize).toBe('0.01');
    rig.placed('ann', 'buy yes 10 @ 97');
    expect(rig.reported().slice(-2)).toEqual([expect.stringMatching(/^UPDATE ann MATCHED/), REFINED]);
  });

  it('gets finer once, leaves what rests, and is not finer again when the price comes back', () => {
    const rig = new CoreRig();
    rig.quote(BID, 10, 50);
    const low = rig.quote(BID, 10, 97)!;
    rig.quote(ASK, 10, 98);
    expect([...rig.market.levels(BID)].map(({ price }) => price)).toEqual([9_700, 5_000]);
    rig.exchange.desk.cancel(low);
    rig.quote(ASK, 10, 51);
    rig.quote(BID, 10, 50.9);
    expect(rig.market.tickSize).toBe('0.001');
    expect(rig.reported().filter(line => line.startsWith('tick-size'))).toEqual([REFINED]);
  });

  it.each(['0.001', '0.1'])('of %s does not change', tickSize => {
    const rig = new CoreRig({ first: { tickSize } });
    rig.quote(BID, 10, 0.1);
    rig.quote(ASK, 10, 10);
    rig.quote(ASK, 10, 0.3);
    expect(rig.market.tickSize).toBe(tickSize);
  });

  it('does not change when a market is resolved', () => {
    const rig = new CoreRig();
    rig.quote(ASK, 10, 97);
    rig.exchange.resolutions.resolve(rig.market, 0);
    expect(rig.reported().some(line => line.startsWith('tick-size'))).toBe(false);
  });
});

describe('a game that is listed while the exchange runs', () => {
  const newGame = (letters: string, startsAt = START + 6 * HOUR_MS) => {
    const event = gameWith([...letters].map(letter => listing(letter, { clearsBookOnStart: true })));
    return { ...event, id: letters, game: { ...event.game, id: letters, startsAt: startsAt as UnixMillis } };
  };

  it('is reported, found, and trades', () => {
    const rig = new CoreRig();
    expect(rig.exchange.list([newGame('cd')])).toBe(true);
    expect(rig.reported()).toEqual(['created', 'created']);
    expect(rig.exchange.events.map(({ id }) => id)).toEqual(['1', 'cd']);
    const market = rig.exchange.tokens.get(tokensOf('d')[1])!.market;
    const house = rig.exchange.desk.markets.find(({ address }) => address === market.conditionId)!;
    rig.exchange.desk.place(house, ASK, 6_000 as never, shares(10), 'rest');
    expect(rig.placed('ann', 'buy yes 10 @ 60', { market }).outcome).toBe('matched');
    expect(rig.held('ann', market)).toEqual([10, 0]);
  });

  it('has its books cleared at its start', () => {
    const rig = new CoreRig();
    rig.exchange.list([newGame('c', START + HOUR_MS)]);
    const { market } = rig.exchange.tokens.get(tokensOf('c')[0])!;
    rig.placed('ann', 'buy yes 10 @ 40', { market });
    rig.timers.advance(HOUR_MS);
    expect([...market.levels(BID)]).toEqual([]);
  });

  it('is listed once, and as a whole or not at all', () => {
    const rig = new CoreRig();
    expect(rig.exchange.list([newGame('cc')])).toBe(false);
    expect(rig.exchange.list([newGame('ca')])).toBe(false);
    expect([...rig.exchange.markets.keys()]).toHaveLength(2);
    expect(rig.reported()).toEqual([]);
  });

  it('is refused when there is no room', () => {
    const rig = new CoreRig();
    const many = gameWith(
      Array.from({ length: limits.paperMarketsMax - 1 }, (_, index) =>
        listing('c', { conditionId: `0x${index}`, tokens: tokensOf(String(index)) }),
      ),
    );
    expect(rig.exchange.canList([many])).toBe(false);
    expect(rig.exchange.canList([{ ...many, markets: many.markets.slice(1) }])).toBe(true);
  });
});

describe('a game that is over', () => {
  it('is forgotten with all its markets after its time, and unredeemed winnings are paid out', () => {
    const rig = new CoreRig();
    rig.quote(ASK, 10, 40);
    rig.placed('ann', 'buy yes 10 @ 40');
    rig.timers.advance(10_000);
    rig.exchange.resolutions.resolve(rig.market, 0);
    rig.timers.advance(HOUR_MS);
    rig.exchange.resolutions.resolve(rig.other, 1);
    const between = (rig.timers.now() - 1) as UnixMillis;
    rig.reported();
    rig.exchange.forgetEnded(between);
    expect([rig.exchange.markets.size, rig.reported()]).toEqual([2, []]);

    rig.exchange.forgetEnded(rig.timers.now());
    expect(rig.reported()).toEqual(['forgotten', 'forgotten']);
    const { markets, tokens, events, desk } = rig.exchange;
    expect([markets.size, tokens.size, events.length, desk.markets.length]).toEqual([0, 0, 0, 0]);
    expect(rig.cash('ann')).toBe(1_006);
    expect([...rig.exchange.tradesOfMarket(rig.market)]).toEqual([]);
    // The owner can still read the result of the position.
    expect([...rig.exchange.positions(walletOf('ann'))]).toMatchObject([{ size: 0, realizedPnl: 6_000_000 }]);
    const { wallets, house, escrow, pots, fees, deposited } = rig.exchange.audit();
    expect(wallets + house + escrow + pots + fees).toBe(deposited);
  });

  it('makes room for its own return', () => {
    const rig = new CoreRig();
    for (const market of rig.exchange.markets.values()) rig.exchange.resolutions.resolve(market, 0);
    rig.exchange.forgetEnded(rig.timers.now());
    expect(rig.exchange.list([gameWith([listing('a', {}), listing('b', {})])])).toBe(true);
    expect(rig.refusal('ann', 'buy yes 10 @ 40', { market: [...rig.exchange.markets.values()][0]! })).toBe('taken');
  });
});

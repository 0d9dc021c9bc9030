// Found in public reports. Venue A takes at most two decimals of a FOK's or FAK's maker amount and at most four of its taker amount, on
// every tick. Ours had as many as the tick allows a limit order: on a tick of 0.001 most were refused. The simulator took them.

import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { Ticks } from '../../src/domain/numbers.ts';
import type { VenueAOrderRequest } from '../../src/domain/order-request.ts';
import { amountRules, marketAmounts, type TokenAmount } from '../../src/venues/venue-a/order-amounts.ts';
import { BUY, SELL } from '../../src/venues/venue-a/typed-data.ts';
import { NEG_RISK, REGULAR } from '../paper/venue-a/venue-a-rig.ts';
import { ticks } from '../support/amounts.ts';
import { marketBuy, shares, TradingRig } from '../venues/venue-a/trading/trading-rig.ts';

const TICKS = ['0.1', '0.01', '0.005', '0.0025', '0.001', '0.0001'] as const;
const [TOKEN] = NEG_RISK.tokens;

let rig: TradingRig | null = null;
afterEach(() => rig?.close());

/** A book of one level on each side, at one price. */
async function start(side: 'BUY' | 'SELL', price: number, tick: string): Promise<TradingRig> {
  rig = await TradingRig.start({ faucet: 1_000_000_000 });
  const { venue } = rig;
  const market = venue.market(NEG_RISK);
  venue.exchange.setTickSize(market, tick);
  venue.exchange.split(rig.account.funder, market, shares(100));
  const desk = venue.exchange.desk.markets.find(it => it.address === NEG_RISK.conditionId)!;
  const placed = venue.exchange.desk.place(desk, side === 'BUY' ? 1 : 0, price as Ticks, shares(1_000), 'rest');
  expect(placed).not.toBeNull();
  return rig;
}

function sale(size: number): VenueAOrderRequest {
  return {
    venue: 'venue_a',
    tokenId: TOKEN,
    type: 'MARKET',
    side: 'SELL',
    size: shares(size),
    worstPrice: null,
    timeInForce: 'FAK',
  };
}

describe('a FAK is signed with amounts that the venue takes', () => {
  it.each([
    ['BUY', 9.98, '0.316', '0.001', '9980000', '31582200'],
    ['BUY', 9.98, '0.985', '0.005', '9980000', '10131900'],
    ['BUY', 9.98, '0.985', '0.001', '9980000', '10131900'],
    ['BUY', 9.98, '0.3325', '0.0025', '9980000', '30015000'],
    ['BUY', 9.98, '0.3163', '0.0001', '9980000', '31552300'],
    ['SELL', 9.98, '0.316', '0.001', '9980000', '3153600'],
    ['SELL', 7.77, '0.3163', '0.0001', '7770000', '2457600'],
    ['SELL', 7.77, '0.3', '0.1', '7770000', '2331000'],
  ] as const)('%s %d at %s on a tick of %s', async (side, given, price, tick, makerAmount, takerAmount) => {
    const started = await start(side, ticks(price), tick);
    const request = side === 'BUY' ? { ...marketBuy(given, 'FAK'), tokenId: TOKEN } : sale(given);
    const { intent, outcome } = await started.place(request);
    const { order } = JSON.parse(Buffer.from(intent.payload).toString());
    expect(order).toMatchObject({ makerAmount, takerAmount });
    expect(outcome).toMatchObject({ type: 'accepted', state: 'gone' });
    expect(started.venue.market(NEG_RISK).volume).toBeGreaterThan(0);
  });
});

it.each([
  ['BUY', [9_980_000, 31_582_270], '0.001'],
  ['BUY', [9_980_000, 31_552_323], '0.0001'],
  ['SELL', [12_340_000, 703_380], '0.001'],
] as const)('the simulator refuses a market %s of %j on a tick of %s', async (side, amounts, tick) => {
  const { venue, wallet } = await start(side, side === 'BUY' ? 3_000 : 600, tick);
  const answer = await venue.post(wallet, { token: TOKEN, side, amounts, type: 'FAK' });
  const words = `invalid amounts, the market ${side.toLowerCase()} orders maker amount supports a max accuracy of 2 decimals, taker amount a max of 4 decimals`;
  expect(answer).toMatchObject({ status: 400, body: { error: words } });
});

it('a limit order has as many decimals as its tick has', async () => {
  const { venue, wallet } = await start('BUY', 9_000, '0.0001');
  const wish = { token: TOKEN, side: 'BUY', amounts: [3_336_333, 10_010_000] } as const;
  expect(await venue.post(wallet, wish)).toMatchObject({ status: 200, body: { success: true } });
  const finer = await venue.post(wallet, { token: REGULAR.tokens[0], side: 'BUY', amounts: [5_005_005, 10_010_010] });
  expect(finer.body.error).toContain('maker amount supports a max accuracy of 4 decimals, taker amount a max of 2');
});

it('an amount that four decimals cannot price is refused in words', async () => {
  const started = await start('SELL', 3_333, '0.0001');
  expect(await started.trading.prepare(started.order(sale(0.01)), 'key')).toMatchObject({
    ok: false,
    error: { kind: 'invalid', message: expect.stringMatching(/^amount: too little at this price: .*4 decimals/) },
  });
});

describe('for any tick, price and amount', () => {
  const anyTick = fc.constantFrom(...TICKS).map(it => ticks(it));
  const anyCents = fc.integer({ min: 100, max: 1_000_000 });

  it('the venue refuses none, and the price of the amounts is the limit or safer', () => {
    fc.assert(
      fc.property(
        anyTick,
        fc.integer({ min: 1, max: 9_999 }),
        anyCents,
        fc.constantFrom(BUY, SELL),
        (tick, at, cents, side) => {
          const limit = Math.max(2, Math.min(10_000 / tick - 2, Math.floor(at / tick))) * tick;
          fc.pre(limit > 0 && limit < 10_000);
          const amounts = marketAmounts(side, (cents * 10_000) as TokenAmount, limit as Ticks, amountRules(tick)!);
          if (!amounts.ok) throw new Error(amounts.error);
          const [maker, taker] = [Number(amounts.value.makerAmount), Number(amounts.value.takerAmount)];
          expect([maker % 10_000, taker % 100]).toEqual([0, 0]);
          const implied = side === BUY ? (maker / taker) * 10_000 : (taker / maker) * 10_000;
          const nearest = Math.round(implied / tick) * tick;
          expect(side === BUY ? nearest <= limit : nearest >= limit).toBe(true);
          expect(Math.abs(nearest - limit)).toBeLessThanOrEqual(tick);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});

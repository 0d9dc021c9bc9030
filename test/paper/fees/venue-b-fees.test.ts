// Venue B's fees against real charges: recorded production fills, and the examples of the venue's own documentation. Also against a naive twin that
// rounds fractions of BigInt where the rules say so.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ASK, BID, type Side } from '../../../src/core/domain/market.ts';
import { type MicroDollars, type MicroShares, parseMicroShares, type Ticks } from '../../../src/core/domain/numbers.ts';
import {
  DIRECT_MEMBER_STEP,
  fractionOf,
  VenueBFees,
  type VenueBFeeTerms,
  type VenueBFeeType,
} from '../../../src/paper/fees/fees.ts';
import { micros, ticks } from '../../support/amounts.ts';
import { recordingPath, recordingsPresent } from '../../support/recordings.ts';

const FEE_TYPES: VenueBFeeType[] = ['quadratic', 'quadratic_with_maker_fees', 'quadratic_with_combo_maker_fees'];
/** The rounding step of accounts that are held through another member. */
const OTHER_MEMBER_STEP = 10_000 as MicroDollars;
const NOTHING_CARRIED = 0 as MicroDollars;

const shares = (text: string): MicroShares => parseMicroShares(text)!;

function feesOf(multiplier: string, changes: Partial<VenueBFeeTerms> = {}): VenueBFees {
  return new VenueBFees({
    feeType: 'quadratic',
    multiplier: fractionOf(multiplier),
    isWaived: false,
    balanceStep: DIRECT_MEMBER_STEP,
    ...changes,
  });
}

describe('recorded production fills', () => {
  it.each([
    ['1.00', '0.5200', '1', '0.017500'],
    ['15.00', '0.7400', '1', '0.202100'],
    ['227.27', '0.0010', '1', '0.015930'],
    ['4.15', '0.2280', '1', '0.051200'],
    ['0.27', '0.2700', '0.5', '0.001900'],
    ['20.00', '0.1300', '0.5', '0.079200'],
    // This fill shows that the trade fee is rounded to $0.000001. A trade fee rounded to $0.0001 would give 0.064680.
    ['71.94', '0.0130', '1', '0.064780'],
  ])('%s at %s, multiplier %s, cost %s', (count, price, multiplier, fee) => {
    expect(feesOf(multiplier).meter(BID).charge('taker', ticks(price), shares(count))).toBe(micros(fee));
  });

  it.skipIf(!recordingsPresent)('all 33 of them, to the micro-dollar (needs CROSSBOOK_DATA)', () => {
    const file = recordingPath('venue-b/kalshi-cockpit/tests/fixtures/portfolio_fills_redacted.json');
    const { fills } = JSON.parse(readFileSync(file, 'utf8')).payload as { fills: Record<string, string>[] };
    expect(fills).toHaveLength(33);
    const charged = fills.map(fill => {
      // Baseball series had half fees in August 2026 (venue-b.md §8).
      const fees = feesOf(fill.ticker!.startsWith('KXMLB') ? '0.5' : '1');
      const meter = fees.meter(fill.book_side === 'bid' ? BID : ASK);
      return meter.charge(fill.is_taker ? 'taker' : 'maker', ticks(fill.yes_price_dollars!), shares(fill.count_fp!));
    });
    expect(charged).toEqual(fills.map(fill => micros(fill.fee_cost!)));
  });
});

// The documentation gives only the trade fees. The multipliers are chosen so that they result in these fees.
describe("the venue's own examples: a buyer's three fills with balances in cents", () => {
  it.each([
    ['0.0550', '1', '2.33', [0.0085, 0.0065], [0.0065, 0.003, 0.0095], [0.015, 0.005, 0.015]],
    ['0.5000', '0.30', '0.77', [0.0041, 0.0059], [0.0059, 0.0018, 0.0077], [0.01, 0, 0.01]],
    ['0.3301', '0.03', '1', [0.0005, 0.009597], [0.009597, 0.009194, 0.008791], [0.010097, 0.000097, 0.000097]],
  ])('at %s for %s each', (price, size, multiplier, components, carried, net) => {
    const fees = feesOf(multiplier, { balanceStep: OTHER_MEMBER_STEP });
    const meter = fees.meter(BID);
    let before = NOTHING_CARRIED;
    for (const [index, expected] of net.entries()) {
      const fee = fees.fillFee('taker', BID, ticks(price), shares(size), before);
      expect([fee.trade, fee.rounding, fee.carried]).toEqual([...components, carried[index]!].map(inMicros));
      expect(meter.charge('taker', ticks(price), shares(size))).toBe(inMicros(expected));
      before = fee.carried;
    }
  });
});

describe('fee rules', () => {
  it.each([
    ['quadratic', 0],
    ['quadratic_with_maker_fees', 437_500],
    ['quadratic_with_combo_maker_fees', 875_000],
  ] as const)('a maker under %s pays %i for 100 at a half', (feeType, fee) => {
    const fees = feesOf('1', { feeType });
    expect(fees.meter(BID).charge('maker', ticks('0.5'), shares('100'))).toBe(fee);
    expect(fees.meter(BID).charge('taker', ticks('0.5'), shares('100'))).toBe(1_750_000);
  });

  it.each([
    ['0', 0],
    ['0.5', 875_000],
    ['1.25', 2_187_500],
    ['2', 3_500_000],
  ])('a multiplier of %s is exact', (multiplier, fee) => {
    expect(feesOf(multiplier).meter(ASK).charge('taker', ticks('0.5'), shares('100'))).toBe(fee);
  });

  it('a waiver lifts the trade fee and leaves the rounding', () => {
    const fees = feesOf('1', { isWaived: true });
    expect(fees.meter(BID).charge('taker', ticks('0.5'), shares('100'))).toBe(0);
    expect(fees.meter(BID).charge('taker', ticks('0.001'), shares('227.27'))).toBe(30);
  });

  it('rounding costs buyers and sellers of the same fill different amounts', () => {
    const fees = feesOf('1');
    const of = (side: Side) => fees.fillFee('taker', side, ticks('0.001'), shares('227.27'), NOTHING_CARRIED);
    expect([of(BID).trade, of(BID).rounding]).toEqual([15_900, 30]);
    expect([of(ASK).trade, of(ASK).rounding]).toEqual([15_900, 70]);
  });

  it('what a taker was overcharged comes back to it as a maker', () => {
    const terms = { feeType: 'quadratic_with_maker_fees', balanceStep: OTHER_MEMBER_STEP } as const;
    const meter = feesOf('2.33', terms).meter(BID);
    // The parts rounded off are 0.0065 of 0.0150, 0.0028 of 0.0050 and 0.0080 of 0.1100. The last part brings their sum above a cent.
    expect(meter.charge('taker', ticks('0.055'), shares('1'))).toBe(15_000);
    expect(meter.charge('maker', ticks('0.055'), shares('1'))).toBe(5_000);
    expect(meter.charge('maker', ticks('0.5'), shares('10'))).toBe(100_000);
  });

  it('a cent that a fill is too cheap for waits', () => {
    const fees = feesOf('1', { balanceStep: OTHER_MEMBER_STEP });
    const cheap = fees.fillFee('taker', BID, ticks('0.09'), shares('0.01'), 9_999 as MicroDollars);
    expect(cheap).toEqual({ trade: 100, rounding: 9_000, rebate: 0, carried: 18_999 });
    expect(fees.fillFee('taker', BID, ticks('0.5'), shares('1'), cheap.carried)).toEqual({
      trade: 17_500,
      rounding: 2_500,
      rebate: 10_000,
      carried: 11_499,
    });
  });

  it('counts finer than a hundredth are a mistake', () => {
    expect(() =>
      feesOf('1')
        .meter(BID)
        .charge('taker', ticks('0.5'), 10_001 as MicroShares),
    ).toThrow('hundredths');
  });
});

interface AnyFill {
  readonly role: 'taker' | 'maker';
  readonly price: Ticks;
  readonly size: MicroShares;
}

const price = fc.oneof(
  fc.integer({ min: 1, max: 9_999 }),
  fc.integer({ min: 1, max: 99 }).map(cents => cents * 100),
);
const count = fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 10_000_000 }));
const anyFill = fc.record({
  role: fc.constantFrom('taker', 'maker'),
  price: price.map(it => it as Ticks),
  size: count.map(hundredths => (hundredths * 10_000) as MicroShares),
}) as fc.Arbitrary<AnyFill>;
const anyTerms = fc.record({
  feeType: fc.constantFrom(...FEE_TYPES),
  multiplier: fc.constantFrom('0', '0.5', '0.75', '1', '1.3333', '2', '12.5'),
  isWaived: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  balanceStep: fc.constantFrom(DIRECT_MEMBER_STEP, OTHER_MEMBER_STEP),
});
type AnyTerms = typeof anyTerms extends fc.Arbitrary<infer T> ? T : never;
const anySide = fc.constantFrom(BID, ASK);

const withFraction = (terms: AnyTerms): VenueBFeeTerms => ({ ...terms, multiplier: fractionOf(terms.multiplier) });

describe('properties', () => {
  it('fees are those of the naive twin, also of counts near 2^53', () => {
    const huge = fc.integer({ min: 1, max: 900_719_925_474 }).map(it => it * 10_000);
    const fills = fc.array(
      fc.oneof(
        anyFill,
        fc.tuple(anyFill, huge).map(([fill, size]) => ({ ...fill, size })),
      ),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(anyTerms, anySide, fc.boolean(), fills, (terms, side, opens, sequence) => {
        const meter = new VenueBFees(withFraction(terms)).meter(side);
        const charged = sequence.map(fill => meter.charge(fill.role, fill.price, fill.size as MicroShares));
        expect(charged.map(BigInt)).toEqual(naiveCharges(terms, side, opens, sequence));
      }),
      { numRuns: 2_000 },
    );
  });

  it('no fill has a negative fee, and no sequence of fills within the limit costs more than `maxCharge`', () => {
    fc.assert(
      fc.property(anyTerms, anySide, fc.array(anyFill, { minLength: 1, maxLength: 40 }), (terms, side, fills) => {
        const fees = new VenueBFees(withFraction(terms));
        const prices = fills.map(fill => fill.price);
        const limit = (side === BID ? Math.max(...prices) : Math.min(...prices)) as Ticks;
        const size = fills.reduce((sum, fill) => sum + fill.size, 0) as MicroShares;
        const meter = fees.meter(side);
        const charged = fills.map(fill => meter.charge(fill.role, fill.price, fill.size));
        expect(Math.min(...charged)).toBeGreaterThanOrEqual(0);
        const total = charged.reduce<number>((sum, fee) => sum + fee, 0);
        expect(total).toBeLessThanOrEqual(fees.maxCharge(limit, size, side));
        expect(fees.maxCharge(limit, size, side)).toBeLessThanOrEqual(fees.maxCharge(limit, size));
        expect(fees.mostInOneFill(limit, size)).toBeLessThanOrEqual(fees.maxCharge(limit, size, side));
      }),
      { numRuns: 1_000 },
    );
  });

  it('the smallest fills reach `maxCharge` up to their rounding', () => {
    const meter = feesOf('1').meter(BID);
    const total = Array.from({ length: 500 }, () => meter.charge('taker', ticks('0.5'), shares('0.01')));
    expect(total.reduce<number>((sum, fee) => sum + fee, 0)).toBe(500 * 200);
    expect(feesOf('1').maxCharge(ticks('0.5'), shares('5'), BID)).toBe(500 * 299);
  });

  it('a single fill costs no more than `mostInOneFill`, which no larger size makes less', () => {
    fc.assert(
      fc.property(anyTerms, anySide, anyFill, count, (terms, side, fill, less) => {
        const fees = new VenueBFees(withFraction(terms));
        const most = fees.mostInOneFill(fill.price, fill.size);
        const charged = fees.meter(side).charge('taker', fill.price, fill.size);
        expect(charged).toBeLessThanOrEqual(most);
        expect(charged).toBeGreaterThan(most - terms.balanceStep);
        const smaller = Math.min(fill.size, less * 10_000) as MicroShares;
        expect(fees.mostInOneFill(fill.price, smaller)).toBeLessThanOrEqual(most);
      }),
      { numRuns: 1_000 },
    );
  });

  it('balances stay multiples of their step', () => {
    fc.assert(
      fc.property(
        anyTerms,
        anySide,
        fc.boolean(),
        fc.array(anyFill, { maxLength: 20 }),
        (terms, side, opens, fills) => {
          const fees = new VenueBFees(withFraction(terms));
          const meter = fees.meter(side);
          for (const fill of fills) {
            const change = cashOf(side, opens, fill) - BigInt(meter.charge(fill.role, fill.price, fill.size));
            expect(change % BigInt(terms.balanceStep)).toBe(0n);
          }
        },
      ),
    );
  });

  it('many fills cost as much as one, up to $0.0001 a fill and a cent', () => {
    // Each fill costs a cent or more, so that each fill can return a cent that is due.
    const sizes = fc.array(fc.integer({ min: 800, max: 100_000 }), { minLength: 1, maxLength: 60 });
    const steps = fc.constantFrom(DIRECT_MEMBER_STEP, OTHER_MEMBER_STEP);
    const middle = fc.integer({ min: 500, max: 9_500 });
    fc.assert(
      fc.property(steps, anySide, middle, sizes, (balanceStep, side, at, hundredths) => {
        const fees = feesOf('1', { balanceStep });
        const meter = fees.meter(side);
        const many = hundredths
          .map(it => meter.charge('taker', at as Ticks, (it * 10_000) as MicroShares))
          .reduce<number>((sum, fee) => sum + fee, 0);
        const whole = hundredths.reduce((sum, it) => sum + it, 0) * 10_000;
        const one = fees.meter(side).charge('taker', at as Ticks, whole as MicroShares);
        expect(Math.abs(many - one)).toBeLessThanOrEqual(10_000 + 100 * hundredths.length);
      }),
      { numRuns: 500 },
    );
  });
});

/** Converts dollars with up to six decimals to micro-dollars. */
function inMicros(dollars: number): number {
  return Math.round(dollars * 1_000_000);
}

/** Returns the micro-dollars that a fill brings before fees. YES is traded at its price, NO at one dollar minus that price. */
function cashOf(side: Side, opens: boolean, fill: { price: number; size: number }): bigint {
  const yes = (BigInt(fill.price) * BigInt(fill.size)) / 10_000n;
  const no = BigInt(fill.size) - yes;
  if (side === BID) return opens ? -yes : no;
  return opens ? -no : yes;
}

/** The fee rules as the documentation states them. Every quantity is a fraction over 10^26 dollars. */
function naiveCharges(terms: AnyTerms, side: Side, opens: boolean, fills: readonly AnyFillAtAnySize[]): bigint[] {
  const makerRate = { quadratic: 0n, quadratic_with_maker_fees: 175n, quadratic_with_combo_maker_fees: 350n };
  const multiplier = BigInt(Math.round(Number(terms.multiplier) * 10_000));
  const step = BigInt(terms.balanceStep);
  let accumulated = 0n;
  return fills.map(fill => {
    const rate = terms.isWaived ? 0n : fill.role === 'taker' ? 700n : makerRate[terms.feeType];
    // rate 10^-4 × multiplier 10^-4 × count 10^-6 × price² 10^-8 = 10^-22 dollars.
    const exact = rate * multiplier * BigInt(fill.size) * BigInt(fill.price) * BigInt(10_000 - fill.price);
    const trade = upTo(exact, 10n ** 18n) / 10n ** 16n;
    const change = cashOf(side, opens, fill) - trade;
    const aligned = -upTo(-change, step);
    const rounding = change - aligned;
    accumulated += rounding;
    const rebate = accumulated > 10_000n && trade + rounding >= 10_000n ? 10_000n : 0n;
    accumulated -= rebate;
    return trade + rounding - rebate;
  });
}

type AnyFillAtAnySize = Omit<AnyFill, 'size'> & { readonly size: number };

/** Returns the smallest multiple of `step` that is not below `value`. */
function upTo(value: bigint, step: bigint): bigint {
  const rest = ((value % step) + step) % step;
  return rest === 0n ? value : value + step - rest;
}

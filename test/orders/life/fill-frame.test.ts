// A fill in the frame of its order and back, and which of two settlement states is the later one.

import { describe, expect, it } from 'vitest';
import { fillFor, isAdvance, isTradeOf, movementOf, withBookedAmounts } from '../../../src/orders/life/fill-frame.ts';
import { Rig, shares, ticks, YES_BUY } from './orders-rig.ts';

const SETTLEMENTS = ['MATCHED', 'RETRYING', 'MINED', 'CONFIRMED', 'FAILED'] as const;

it('a settlement goes on: it may be tried again before it is mined, and its end is the end', () => {
  const later = SETTLEMENTS.map(from => SETTLEMENTS.filter(to => isAdvance(from, to)));
  expect(later).toEqual([
    ['RETRYING', 'MINED', 'CONFIRMED', 'FAILED'],
    ['MINED', 'CONFIRMED', 'FAILED'],
    ['CONFIRMED', 'FAILED'],
    [],
    [],
  ]);
});

describe.each([
  ['YES', 'BUY', 1],
  ['YES', 'SELL', -1],
  ['NO', 'BUY', -1],
  ['NO', 'SELL', 1],
] as const)('a fill of an order to %s %s', (side, action, sign) => {
  const rig = new Rig();
  const order = rig.putUnsent('one', { ...YES_BUY, side, action });
  const reported = rig.fill('f', 4, { addressPrice: ticks(3_000), positionChange: shares(4 * sign) });

  it('moves its position as it was reported', () => {
    const { address, positionChange, addressPrice, fee } = reported;
    expect(movementOf(order, fillFor(order, reported))).toEqual({ address, positionChange, addressPrice, fee });
  });

  it('belongs to its order, and to no other market or direction', () => {
    expect(isTradeOf(order, reported)).toBe(true);
    expect(isTradeOf(order, { ...reported, address: 'KXOTHER' })).toBe(false);
    expect(isTradeOf(order, { ...reported, positionChange: shares(-4 * sign) })).toBe(false);
  });

  it('that was unattributed is reported again with the amounts that were booked', () => {
    const fee = (2 * reported.fee) as typeof reported.fee;
    const again = { ...reported, size: shares(5), positionChange: shares(5 * sign), addressPrice: ticks(3_100), fee };
    expect(withBookedAmounts(again, fillFor(null, reported))).toEqual(reported);
  });
});

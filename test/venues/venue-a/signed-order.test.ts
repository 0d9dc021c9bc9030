// The `order` object of a POST /order body, read from JSON, and the refusal of every body that has no such object.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ticks } from '../../../src/core/domain/numbers.ts';
import type { VenueAOrderRequest } from '../../../src/core/domain/order-request.ts';
import { readSignedOrder } from '../../../src/venues/venue-a/signed-order.ts';
import { NEG_RISK, REGULAR } from '../../paper/venue-a/venue-a-rig.ts';
import { ticks } from '../../support/amounts.ts';
import { anyOrder } from '../../support/venue-a-orders.ts';
import { marketBuy, shares, TradingRig } from './trading/trading-rig.ts';

/** The order as venue-a.md §3.1 shows it. */
const wire = {
  salt: 896_790_000_000,
  maker: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  signer: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  tokenId: '45654842686110167876337056449737479301235917003519988189654649607054904571464',
  makerAmount: '5565000',
  takerAmount: '10500000',
  side: 'BUY',
  signatureType: 0,
  timestamp: '1790000000000',
  expiration: '1790000400',
  metadata: `0x${'0'.repeat(64)}`,
  builder: `0x${'A'.repeat(64)}`,
  signature: `0x${'ab'.repeat(65)}`,
};

describe('an order', () => {
  it('is read exactly', () =>
    expect(readSignedOrder(wire)).toEqual({
      ok: true,
      value: {
        order: {
          salt: 896_790_000_000n,
          maker: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
          signer: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
          tokenId: 45654842686110167876337056449737479301235917003519988189654649607054904571464n,
          makerAmount: 5_565_000n,
          takerAmount: 10_500_000n,
          side: 0,
          signatureType: 0,
          timestamp: 1_790_000_000_000n,
          metadata: `0x${'0'.repeat(64)}`,
          builder: `0x${'a'.repeat(64)}`,
        },
        signature: Buffer.from('ab'.repeat(65), 'hex'),
        expirationS: 1_790_000_400,
      },
    }));

  it('of any content is read as it was written', () =>
    fc.assert(
      fc.property(anyOrder, fc.uint8Array({ maxLength: 317 }), fc.nat(), (order, bytes, expirationS) => {
        const { salt, tokenId, makerAmount, takerAmount, timestamp, side, ...rest } = order;
        const numbers = { salt, tokenId, makerAmount, takerAmount, timestamp, expiration: expirationS };
        const texts = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, String(value)]));
        const signature = `0x${Buffer.from(bytes).toString('hex')}`;
        const read = readSignedOrder({ ...rest, ...texts, side: side === 0 ? 'BUY' : 'SELL', signature });
        expect(read).toEqual({ ok: true, value: { order, signature: Buffer.from(bytes), expirationS } });
      }),
    ));

  const uints = ['salt', 'tokenId', 'makerAmount', 'takerAmount', 'timestamp', 'expiration'];
  const huge = [String(2n ** 256n), '9'.repeat(79), 2 ** 53];
  const notUints = ['', '-1', '1.5', '1e3', ' 1', '0x1', '٣', ...huge, -1, 1.5, null, true, [], {}];
  const notAddresses = ['', '0x', '0x1', `0x${'g'.repeat(40)}`, 'f'.repeat(40), 7, null];
  const notHex32 = [`0x${'0'.repeat(62)}`, `0x${'0'.repeat(66)}`, `0x${'z'.repeat(64)}`, '0'.repeat(64)];
  const notBytes32 = ['', '0x', '0x0', ...notHex32, 0];
  const notBytes = ['', '0', 'ab', '0xa', '0xzz', `0x${'00'.repeat(318)}`, null];
  const all = (values: readonly unknown[], ...names: readonly string[]) =>
    names.flatMap(name => values.map((value): [string, unknown] => [name, value]));
  it.each([
    ...all(notUints, ...uints),
    ...all(notAddresses, 'maker', 'signer'),
    ...all(notBytes32, 'metadata', 'builder'),
    ...all(['', 'buy', 0, 1, '0', 'toString', '__proto__', null], 'side'),
    ...all([-1, 4, 0.5, '0', '', true, null], 'signatureType'),
    ...all(notBytes, 'signature'),
    ...all([String(2n ** 53n)], 'expiration'),
    ...all([undefined], ...Object.keys(wire)),
  ])('whose %s is %j is invalid', (name, value) => {
    const error = `order.${name}: missing or malformed`;
    expect(readSignedOrder({ ...wire, [name]: value })).toEqual({ ok: false, error });
  });

  it('is not made from other values, and nothing throws', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...Object.keys(wire)), fc.jsonValue())),
        json => {
          expect(readSignedOrder(json).ok).toBe(false);
        },
      ),
    ));
});

// On every tick venue A takes at most two decimals of a FOK's or FAK's maker amount, and at most four of its taker amount. Our market orders
// had as many decimals as the tick allows a limit order. On a tick of 0.001 the venue refused most of them. The simulator accepted them.
describe('3001: a market order of more decimals than the venue takes', () => {
  const [TOKEN] = NEG_RISK.tokens;

  /** Starts a rig whose book has a single level, at the price. An order of the side `side` can take that level. */
  async function start(side: 'BUY' | 'SELL', price: number, tick: string): Promise<TradingRig> {
    const rig = await TradingRig.start({ faucet: 1_000_000_000 });
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
    const market = { venue: 'venue_a', tokenId: TOKEN, type: 'MARKET', side: 'SELL' } as const;
    return { ...market, size: shares(size), worstPrice: null, timeInForce: 'FAK' };
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
});

// Builder codes (venue-a.md §2.1, §3.6): signed with the order, kept with it, and asked for by anybody.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Bytes32, ZERO_BYTES32 } from '../../../src/venues/venue-a/abi-words.ts';
import { checksumAddress } from '../../../src/venues/venue-a/address.ts';
import { amountsOf, NEG_RISK, type OrderWish, VenueARig, type Wallet } from './venue-a-rig.ts';

const [YES, NO] = NEG_RISK.tokens;
const CODE = `0x${'b1'.repeat(32)}` as Bytes32;
const OTHER = `0x${'b2'.repeat(32)}` as Bytes32;
const SHARES = 1_000_000;

let rig: VenueARig;
let alice: Wallet;
let bob: Wallet;

const tradesOf = async (code: string, query = '') =>
  (await rig.get(`/builder/trades?builder_code=${code}${query}`)).body.data;
const buy = (token: string, price: number, shares: number, builder?: Bytes32): OrderWish => ({
  token,
  side: 'BUY',
  amounts: amountsOf('BUY', price, shares * SHARES),
  ...(builder === undefined ? {} : { builder }),
});

describe("a builder's trades", () => {
  beforeEach(async () => {
    rig = await VenueARig.start();
    alice = rig.wallet(1);
    bob = rig.wallet(2);
    await rig.post(alice, buy(NO, 4_000, 10, CODE));
    await rig.post(alice, buy(NO, 3_900, 10, OTHER));
    await rig.post(alice, buy(NO, 3_800, 10));
    const answer = await rig.post(bob, buy(YES, 6_200, 30, CODE));
    expect(answer.body.status).toBe('matched');
  });
  afterEach(() => rig.close());

  it('are those of its orders, on either side', async () => {
    const [taken, made, ...none] = await tradesOf(CODE);
    expect(none).toEqual([]);
    expect(taken).toMatchObject({
      tradeType: 'TAKER',
      builder: CODE,
      assetId: YES,
      side: 'BUY',
      size: '30',
      sizeUsdc: '18.3',
      maker: checksumAddress(bob.address),
      owner: bob.credentials.apiKey,
      status: 'MATCHED',
    });
    // 5 % of 0.24, 0.2379 and 0.2356 a share, ten shares each.
    expect(taken.feeUsdc).toBe('0.35675');
    expect(made).toMatchObject({
      id: taken.id,
      tradeType: 'MAKER',
      assetId: NO,
      size: '10',
      sizeUsdc: '4',
      price: '0.4',
      owner: alice.credentials.apiKey,
      feeUsdc: '0',
    });
    expect(await tradesOf(OTHER)).toMatchObject([{ tradeType: 'MAKER', sizeUsdc: '3.9' }]);
  });

  it("are nobody's without a code", async () => {
    for (const code of ['', ZERO_BYTES32, `0x${'b3'.repeat(32)}`]) expect(await tradesOf(code)).toEqual([]);
  });

  it('are filtered as trades are', async () => {
    expect(await tradesOf(CODE, `&market=${NEG_RISK.conditionId}`)).toHaveLength(2);
    expect(await tradesOf(CODE, `&before=${rig.nowS - 1}`)).toEqual([]);
  });

  it('are named in the trades of both', async () => {
    const { data } = (await rig.call(bob, 'GET', '/data/trades')).body;
    const codes = data[0].maker_orders.map((maker: { builder_code?: string }) => maker.builder_code);
    expect(codes).toEqual([CODE, OTHER, undefined]);
  });
});

// The account to which venue A's REST assigns an order (venue-a.md §2.1). Covers domains, chains, the last byte of a signature, the two signatures of
// an order, and deposit wallets. The tests use HTTP.

import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAddress } from '../../../src/venues/venue-a/address.ts';
import { amountsOf, type OrderWish, type PostedOrder, REGULAR, VenueARig, type Wallet } from './venue-a-rig.ts';

const RESTING: OrderWish = {
  token: REGULAR.tokens[0],
  side: 'BUY',
  amounts: amountsOf('BUY', 5_000, 10_000_000),
};
const DEPOSIT_WALLET = readAddress(`0x${'77'.repeat(20)}`)!;
const IN_WALLET: OrderWish = { ...RESTING, maker: DEPOSIT_WALLET, signatureType: 3 };
/** The order of the group of secp256k1. */
const GROUP_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

let rig: VenueARig;
let alice: Wallet;
let bob: Wallet;

beforeEach(async () => {
  rig = await VenueARig.start();
  alice = rig.wallet(1);
  bob = rig.wallet(2);
  rig.exchange.deposit(DEPOSIT_WALLET, 100_000_000 as never);
});
afterEach(() => rig.close());

/** Returns the same order with a changed signature, whose first 65 bytes are r, s and v. */
function signedAs({ body }: PostedOrder, change: (signature: string) => string): object {
  return { ...body, order: { ...body.order, signature: change(String(body.order.signature)) } };
}

const lastByte = (signature: string) => Number.parseInt(signature.slice(130, 132), 16);

describe('signatures', () => {
  it.each([
    ['v of 0 or 1', (it: string) => `${it.slice(0, 130)}0${lastByte(it) - 27}`],
    ['the other v', (it: string) => `${it.slice(0, 130)}${(55 - lastByte(it)).toString(16)}`],
    ['v of 29', (it: string) => `${it.slice(0, 130)}1d`],
    ['a byte too many', (it: string) => `${it}00`],
    ['a byte too few', (it: string) => it.slice(0, 130)],
    ['r of nothing', (it: string) => `0x${'00'.repeat(32)}${it.slice(66)}`],
    ['s of nothing', (it: string) => `${it.slice(0, 66)}${'00'.repeat(32)}${it.slice(130)}`],
    ['s beyond the group', (it: string) => `${it.slice(0, 66)}${'ff'.repeat(32)}${it.slice(130)}`],
  ])('with %s are invalid', async (_what, change) => {
    const body = signedAs(rig.order(alice, RESTING), change);
    const refused = { status: 400, body: { error: 'invalid signature' } };
    expect(await rig.call(alice, 'POST', '/order', body)).toMatchObject(refused);
  });

  it('may be the other one of the two that an order has, which is still the same order', async () => {
    const order = rig.order(alice, RESTING);
    const other = signedAs(order, it => {
      const s = GROUP_ORDER - BigInt(`0x${it.slice(66, 130)}`);
      return `${it.slice(0, 66)}${s.toString(16).padStart(64, '0')}${(55 - lastByte(it)).toString(16)}`;
    });
    expect(await rig.call(alice, 'POST', '/order', order.body)).toMatchObject({ status: 200 });
    const error = `order ${order.id} is invalid. Duplicated.`;
    expect(await rig.call(alice, 'POST', '/order', other)).toMatchObject({ status: 400, body: { error } });
  });

  it('are of the fields that are posted', async () => {
    const { body } = rig.order(alice, RESTING);
    const changes = {
      salt: 99,
      timestamp: '1',
      makerAmount: '4900000',
      tokenId: REGULAR.tokens[1],
      builder: `0x${'1'.repeat(64)}`,
      metadata: `0x${'1'.repeat(64)}`,
    };
    for (const change of Object.entries(changes)) {
      const changed = { ...body, order: { ...body.order, ...Object.fromEntries([change]) } };
      const error = 'invalid signature';
      expect(await rig.call(alice, 'POST', '/order', changed), change[0]).toMatchObject({ body: { error } });
    }
  });
});

describe('a deposit wallet', () => {
  it("is its owner's, under its own id, and nobody else's", async () => {
    const { id, status, body } = await rig.post(alice, IN_WALLET);
    expect({ status, id: body.orderID }).toEqual({ status: 200, id });
    const error = 'maker address not allowed, please use the deposit wallet flow';
    expect(await rig.post(bob, IN_WALLET)).toMatchObject({ status: 400, body: { error } });
  });

  it.each([1, 2, 3] as const)('4040: is no address with a key of its own, under signatureType %i', async type => {
    const error = 'maker address not allowed, please use the deposit wallet flow';
    const wish = { ...IN_WALLET, maker: alice.address, signatureType: type };
    expect(await rig.post(alice, wish)).toMatchObject({ status: 400, body: { error } });
  });

  it('is not traded for with the signature of another than the caller', async () => {
    const { body } = rig.order(alice, IN_WALLET);
    const error = 'the order signer address has to be the address of the API KEY';
    const stolen = { ...body, owner: bob.credentials.apiKey };
    expect(await rig.call(bob, 'POST', '/order', stolen)).toMatchObject({ status: 400, body: { error } });
  });

  it.each([
    ['its wrapping cut off', (it: string) => it.slice(0, 132)],
    ['another domain wrapped', (it: string) => `${it.slice(0, 132)}${'00'.repeat(32)}${it.slice(196)}`],
    ['other contents wrapped', (it: string) => `${it.slice(0, 196)}${'00'.repeat(32)}${it.slice(260)}`],
    ['another type wrapped', (it: string) => it.replace('4f72646572', '4f72646573')],
    ['another length', (it: string) => `${it.slice(0, -4)}00bb`],
  ])('has signed nothing with %s', async (_what, change) => {
    const body = signedAs(rig.order(alice, IN_WALLET), change);
    const error = 'invalid signature';
    expect(await rig.call(alice, 'POST', '/order', body)).toMatchObject({ status: 400, body: { error } });
  });
});

describe('an HMAC', () => {
  const ask = (prehash: (timestamp: string) => string) => {
    const timestamp = String(rig.nowS);
    const secret = Buffer.from(alice.credentials.secret, 'base64');
    const signature = createHmac('sha256', secret).update(prehash(timestamp)).digest('base64');
    const headers = rig.l2Headers(alice, 'GET', '/data/orders', '');
    const POLY_SIGNATURE = signature.replaceAll('+', '-').replaceAll('/', '_');
    return rig.send('GET', '/data/orders?market=x', '', { ...headers, POLY_SIGNATURE });
  };

  it('is over the path, without its query', async () => {
    expect((await ask(timestamp => `${timestamp}GET/data/orders`)).status).toBe(200);
    expect((await ask(timestamp => `${timestamp}GET/data/orders?market=x`)).status).toBe(401);
    expect((await ask(timestamp => `${timestamp}get/data/orders`)).status).toBe(401);
  });
});

// Orders as the adapter builds and signs them. Orders that the venue's own client has sent come out byte for byte. The paper exchange
// accepts all four kinds of signer. Also covers salts, times and the limits of market orders.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { OrderId } from '../../../../src/core/domain/order.ts';
import type { VenueAAccount } from '../../../../src/core/domain/pod-accounts.ts';
import { readAddress } from '../../../../src/venues/venue-a/address.ts';
import { createExchange, type ExchangeVersion, POLYGON } from '../../../../src/venues/venue-a/exchanges.ts';
import {
  buildIntent,
  OrderTimes,
  orderSigner,
  saltOf,
  timeOfKey,
} from '../../../../src/venues/venue-a/trading/order-body.ts';
import { reachOfDollars, reachOfShares } from '../../../../src/venues/venue-a/trading/preparation.ts';
import { BUY, SELL } from '../../../../src/venues/venue-a/typed-data.ts';
import { recordingPath, recordingsPresent } from '../../../support/recordings.ts';
import { ACCOUNT } from './scripted-line.ts';
import { keyOfTime, limit, shares, TradingRig } from './trading-rig.ts';

const ORDER_ID = '01234567-89ab-8cde-8f01-23456789abcd' as OrderId;

interface RecordedOrder {
  readonly call: string;
  readonly body: ReturnType<typeof JSON.parse>;
  readonly hash: string;
  readonly version: ExchangeVersion;
  readonly contract: string;
}

/** Returns the orders of the recorded single requests and batches, each order once. */
function recordedOrders(): RecordedOrder[] {
  const lines = readFileSync(recordingPath('venue-a/official-client/requests.jsonl'), 'utf8').trimEnd().split('\n');
  const orders = lines.flatMap(line => {
    const { call, body, order_hash: hashes = [] } = JSON.parse(line);
    const bodies = hashes.length === 0 ? [] : [JSON.parse(body)].flat();
    return bodies.map((it, index) => {
      const { hash, domain_version: version, verifyingContract: contract } = hashes[index];
      return { call, body: it, hash, version, contract };
    });
  });
  return [...new Map(orders.map(order => [order.hash, order])).values()];
}

function accountOf({ owner, order }: RecordedOrder['body']): VenueAAccount {
  return { ...ACCOUNT, funder: order.maker, signatureType: order.signatureType, apiKey: owner };
}

describe.skipIf(!recordingsPresent)('orders of the official client (recordings)', () => {
  const orders = recordingsPresent ? recordedOrders() : [];

  it('are 13', () => {
    expect(orders).toHaveLength(13);
  });

  it.each(orders)('$call: $hash', ({ body, hash, version, contract }) => {
    const { order, orderType, postOnly } = body;
    const intent = buildIntent(
      {
        tokenId: order.tokenId,
        side: order.side === 'BUY' ? BUY : SELL,
        amounts: { makerAmount: BigInt(order.makerAmount), takerAmount: BigInt(order.takerAmount) },
        orderType,
        postOnly,
        salt: BigInt(order.salt),
        timestamp: Number(order.timestamp) as UnixMillis,
        builder: order.builder,
        expirationS: Number(order.expiration),
      },
      orderSigner(accountOf(body))!,
      createExchange(version, POLYGON, readAddress(contract)!),
      ORDER_ID,
    );
    expect(intent.venueOrderId).toBe(hash);
    expect(Buffer.from(intent.payload).toString()).toBe(JSON.stringify(body));
  });
});

describe('each kind of signer', () => {
  it.each([1, 2, 3] as const)('type %i: the wallet has the money, its owner the key', async signatureType => {
    const funder = `0x${String(signatureType).repeat(40)}`;
    const rig = await TradingRig.start({ faucet: 1_000_000_000 }, { signatureType, funder });
    const { outcome, intent } = await rig.place(limit('BUY', 50, 10));
    expect(outcome).toMatchObject({ type: 'accepted', venueOrderId: intent.venueOrderId, state: 'rests' });
    const { order } = JSON.parse(Buffer.from(intent.payload).toString());
    expect(order.maker).toBe(funder);
    expect(order.signer === funder).toBe(signatureType === 3);
    expect(await rig.trading.balance()).toMatchObject({ value: { available: 995_000_000 } });
  });

  it('cannot sign with another address than its own, nor with what is no key', () => {
    const account = accountOf({ owner: 'key', order: { maker: `0x${'1'.repeat(40)}`, signatureType: 0 } });
    expect(orderSigner(account)).toBeNull();
    expect(orderSigner({ ...account, signatureType: 1 })).not.toBeNull();
    expect(orderSigner({ ...account, signatureType: 1, privateKey: '00' })).toBeNull();
    expect(orderSigner({ ...account, signatureType: 1, funder: '0x12' })).toBeNull();
  });
});

describe('salt and time', () => {
  const uuid = fc.uuid().map(it => it as OrderId);

  it('salts are exact as numbers, the same for the same order, others for others', () => {
    fc.assert(
      fc.property(uuid, uuid, (one, other) => {
        const salt = saltOf(one);
        expect(Number.isSafeInteger(Number(salt)) && BigInt(Number(salt)) === salt).toBe(true);
        expect(saltOf(one)).toBe(salt);
        if (one.slice(-12) !== other.slice(-12)) expect(saltOf(other)).not.toBe(salt);
      }),
    );
  });

  it('a key of version 7 has a time, no other', () => {
    const at = 1_790_000_000_123;
    expect(timeOfKey(keyOfTime(at))).toBe(at);
    expect(timeOfKey(keyOfTime(at).toUpperCase())).toBe(at);
    expect(timeOfKey(keyOfTime(at).replace('-7', '-4'))).toBeNull();
    expect(timeOfKey('order-17')).toBeNull();
  });

  it('a time is the key’s if it is near; else it is now, and later than all before', () => {
    let now = 1_790_000_000_000;
    const times = new OrderTimes(() => now as UnixMillis);
    expect(times.of(keyOfTime(now - 300_000))).toBe(now - 300_000);
    expect(times.of(keyOfTime(now + 300_000))).toBe(now + 300_000);
    expect(times.of(keyOfTime(now - 300_001))).toBe(now);
    expect(times.of(keyOfTime(now + 300_001))).toBe(now + 1);
    expect(times.of('any')).toBe(now + 2);
    now -= 1_000;
    expect(times.of('any')).toBe(now + 1_003);
  });
});

describe('the limit of a market order', () => {
  const level = fc.record({ price: fc.integer({ min: 1, max: 9_999 }), size: fc.integer({ min: 1, max: 10 ** 12 }) });
  const depth = fc.array(level, { maxLength: 8 }) as fc.Arbitrary<{ price: Ticks; size: MicroShares }[]>;

  it('is a level that has just enough, and not the next', () => {
    const levels = [4_000, 5_000].map(price => ({ price: price as Ticks, size: shares(10) }));
    expect(reachOfShares(levels, shares(10))).toEqual({ price: 4_000, isEnough: true });
    expect(reachOfDollars(levels, 4_000_000 as MicroDollars)).toEqual({ price: 4_000, isEnough: true });
  });

  it('is the first level at which there is enough, and the last where there is not', () => {
    fc.assert(
      fc.property(depth, fc.integer({ min: 1, max: 10 ** 13 }), (levels, wanted) => {
        for (const isBuy of [true, false]) {
          const found = isBuy
            ? reachOfDollars(levels, wanted as MicroDollars)
            : reachOfShares(levels, wanted as MicroShares);
          const worth = (count: number): bigint =>
            levels.slice(0, count).reduce((sum, it) => sum + BigInt(it.size) * BigInt(isBuy ? it.price : 10_000), 0n);
          const enough = levels.findIndex((_, index) => worth(index + 1) >= BigInt(wanted) * 10_000n);
          const expected = levels.at(enough);
          expect(found).toEqual(expected === undefined ? null : { price: expected.price, isEnough: enough >= 0 });
        }
      }),
    );
  });
});

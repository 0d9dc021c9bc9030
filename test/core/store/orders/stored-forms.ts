// Records of the store as bytes. They change only with the version of their form.

import { fraction } from '../../../../src/core/domain/fraction.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../../../src/core/domain/numbers.ts';
import type { Order } from '../../../../src/core/domain/order.ts';
import type { OrderRequest } from '../../../../src/core/domain/order-request.ts';
import { noPosition } from '../../../../src/core/domain/position.ts';
import type { Codec } from '../../../../src/core/store/orders/codec.ts';
import { orderCodec } from '../../../../src/core/store/orders/order-record.ts';
import {
  bookedCodec,
  cancelAfterCodec,
  counterCodec,
  eventCodec,
  fillCodec,
  idempotencyCodec,
  markCodec,
  positionCodec,
} from '../../../../src/core/store/orders/records.ts';
import { at, fillOf, orderIdOf, storedOrder } from './order-rig.ts';

const NOW = at(1_790_000_000_000);
const OWN = { idempotencyKey: 'k', venueError: null, cancelReason: null } as const;
const filled = { size: 2_500_000 as MicroShares, cost: 13_250_000_000n, fees: -7 as MicroDollars };
const resting: Order = {
  ...storedOrder({ number: 0xabc, createdAt: NOW }).order,
  ...OWN,
  status: 'OPEN',
  sentAt: NOW,
  venueOrderId: 'v-1',
  filled,
  stated: { ...filled, cost: -1n },
  cancelRequestedAt: NOW,
};
const refused: Order = {
  ...storedOrder({ number: 1, venue: 'venue_a', address: '77', createdAt: NOW }).order,
  ...OWN,
  status: 'REJECTED',
  closedAt: NOW,
  error: { code: 'VENUE_REJECTED', message: 'no' },
  isReleased: true,
};
const answer = { outcome: 'notFound', status: 'REJECTED', message: 'gone', at: NOW } as const;
const promise = { orderId: orderIdOf(1), bodySha256Hex: '5e'.repeat(32), answer };
const intent = { payload: new Uint8Array([1, 2, 3]), venueOrderId: '0xd', clientOrderId: 'c' };
const fill = fillOf('f', { liquidity: 'MAKER', settlement: 'FAILED', fee: -1 as MicroDollars, executedAt: NOW });

const flat = noPosition('venue_a', '7', NOW);

const UNTIL = 1_790_000_060_000 as UnixMillis;
const terms = { expiresAt: UNTIL, postOnly: true, reduceOnly: false, selfTrade: 'CANCEL_MAKER' } as const;
const venueB = { ...resting.request, timeInForce: 'GTD', terms } as OrderRequest;
const limit = { ...refused.request, timeInForce: 'GTD', expiresAt: UNTIL } as OrderRequest;

interface StoredForm {
  readonly codec: Codec<unknown>;
  readonly value: unknown;
  readonly hex: string;
}

export const STORED_FORMS: readonly StoredForm[] = [
  form(
    fillCodec,
    { fill, orderId: orderIdOf(1) },
    '01010000000100008000800000000000000001660a7472616465206f6620668827c0843d010101000401a0c4506c00',
  ),
  form(
    fillCodec,
    { fill: { ...fill, liquidity: null }, orderId: null },
    '010001660a7472616465206f6620668827c0843d0101000401a0c4506c00',
  ),
  form(
    idempotencyCodec,
    promise,
    '01000000010000800080000000000000005e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e0101040504676f6e6501a0c4506c00',
  ),
  form(
    idempotencyCodec,
    { ...promise, answer: null },
    '01000000010000800080000000000000005e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e5e00',
  ),
  form(
    cancelAfterCodec,
    { keyId: 'key_1', actorId: 'a', podId: 'p', deadline: NOW },
    '01056b65795f310161017001a0c4506c00',
  ),
  form(counterCodec, 1_000, '01e807'),
  form(markCodec, 'haéi', '01056861c3a969'),
  form(
    positionCodec,
    {
      venue: 'venue_b',
      address: 'T',
      size: -5 as MicroShares,
      average: fraction(16_000n, 3n),
      realized: fraction(-(2n ** 70n)),
      fees: 9 as MicroDollars,
      isRedeemable: true,
      updatedAt: NOW,
    },
    '010101540105043e80020313400000000000000000020100090101a0c4506c00',
  ),
  form(
    bookedCodec,
    { fillId: 'f', change: -7 as MicroShares, addressPrice: 5_600 as Ticks, fee: 3 as MicroDollars, before: flat },
    '010101660107e02b0003000137000000020100020100000001a0c4506c00',
  ),
  form(
    orderCodec,
    { order: { ...resting, idempotencyKey: 'my-key', cancelReason: 'DEAD_MAN' }, intent, refusedAs: null },
    '0300000abc00008000800000000000000003706f6405616c696365146b65795f30303030303030303030303030303030066d792d6b657903065449434b4552000080ade2048827000201a0c4506c0001a0c4506c000101a0c4506c00000103762d31a0cb98010a0315c2f480010701a0cb98010301010700000101a0c4506c00000103000001030102030103307864016300',
  ),
  form(
    orderCodec,
    {
      order: { ...refused, venueError: { code: 'invalid_price', message: 'off' } },
      intent: null,
      refusedAs: 'invalid',
    },
    '030000000100008000800000000000000003706f6405616c696365146b65795f30303030303030303030303030303030016b000237370080ade2048827000501a0c4506c0001a0c4506c00000101a0c4506c00000000000000010001026e6f010001010d696e76616c69645f7072696365036f6666000000000100',
  ),
  form(
    eventCodec,
    {
      event: 'STATUS',
      order: { ...refused, venueError: { code: null, message: 'no' } },
      fill: null,
      at: NOW,
    },
    '02000000000100008000800000000000000003706f6405616c696365146b65795f30303030303030303030303030303030016b000237370080ade2048827000501a0c4506c0001a0c4506c00000101a0c4506c00000000000000010001026e6f01000100026e6f0000000001a0c4506c00',
  ),
  form(
    orderCodec,
    { order: { ...resting, request: venueB }, intent: null, refusedAs: null },
    '0300000abc00008000800000000000000003706f6405616c696365146b65795f30303030303030303030303030303030016b05065449434b4552000080ade2048827030101a0c45156600100010201a0c4506c0001a0c4506c000101a0c4506c00000103762d31a0cb98010a0315c2f480010701a0cb98010301010700000101a0c4506c00000000000000',
  ),
  form(
    orderCodec,
    { order: { ...refused, request: limit }, intent: null, refusedAs: null },
    '030000000100008000800000000000000003706f6405616c696365146b65795f30303030303030303030303030303030016b040237370080ade20488270001a0c45156600501a0c4506c0001a0c4506c00000101a0c4506c00000000000000010001026e6f0100000000000000',
  ),
];

function form<T>(codec: Codec<T>, value: T, hex: string): StoredForm {
  return { codec: codec as Codec<unknown>, value, hex };
}

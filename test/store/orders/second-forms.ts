// Records of version 2, as the program wrote them that brought it. Never changed, only added to.

import type { UnixMillis } from '../../../src/domain/numbers.ts';
import type { OrderRequest } from '../../../src/domain/order-request.ts';
import { orderCodec } from '../../../src/store/orders/order-record.ts';
import { eventCodec } from '../../../src/store/orders/records.ts';
import { form, NOW, refused, resting, type StoredForm } from './first-forms.ts';

const UNTIL = 1_790_000_060_000 as UnixMillis;
const terms = { expiresAt: UNTIL, postOnly: true, reduceOnly: false, selfTrade: 'CANCEL_MAKER' } as const;
const venueB = { ...resting.request, timeInForce: 'GTD', terms } as OrderRequest;
const limit = { ...refused.request, timeInForce: 'GTD', expiresAt: UNTIL } as OrderRequest;

export const SECOND_FORMS: readonly StoredForm[] = [
  form(
    orderCodec,
    { order: { ...resting, idempotencyKey: 'my-key', cancelReason: 'DEAD_MAN' }, refusedAs: null },
    '0200000abc00008000800000000000000003706f6405616c696365146b65795f30303030303030303030303030303030066d792d6b657903065449434b4552000080ade2048827000201a0c4506c0001a0c4506c000101a0c4506c00000103762d31a0cb98010a0315c2f480010701a0cb98010301010700000101a0c4506c00000103000000',
  ),
  form(
    orderCodec,
    {
      order: { ...refused, idempotencyKey: 'k', venueError: { code: 'invalid_price', message: 'off' } },
      refusedAs: 'invalid',
    },
    '020000000100008000800000000000000003706f6405616c696365146b65795f30303030303030303030303030303030016b000237370080ade2048827000501a0c4506c0001a0c4506c00000101a0c4506c00000000000000010001026e6f010001010d696e76616c69645f7072696365036f66660000000100',
  ),
  form(
    eventCodec,
    {
      event: 'STATUS',
      order: { ...refused, idempotencyKey: 'k', venueError: { code: null, message: 'no' } },
      fill: null,
      at: NOW,
    },
    '02000000000100008000800000000000000003706f6405616c696365146b65795f30303030303030303030303030303030016b000237370080ade2048827000501a0c4506c0001a0c4506c00000101a0c4506c00000000000000010001026e6f01000100026e6f0000000001a0c4506c00',
  ),
  form(
    orderCodec,
    { order: { ...resting, idempotencyKey: 'k', request: venueB }, refusedAs: null },
    '0200000abc00008000800000000000000003706f6405616c696365146b65795f30303030303030303030303030303030016b05065449434b4552000080ade2048827030101a0c45156600100010201a0c4506c0001a0c4506c000101a0c4506c00000103762d31a0cb98010a0315c2f480010701a0cb98010301010700000101a0c4506c000000000000',
  ),
  form(
    orderCodec,
    { order: { ...refused, idempotencyKey: 'k', request: limit }, refusedAs: null },
    '020000000100008000800000000000000003706f6405616c696365146b65795f30303030303030303030303030303030016b040237370080ade20488270001a0c45156600501a0c4506c0001a0c4506c00000101a0c4506c00000000000000010001026e6f01000000000000',
  ),
];

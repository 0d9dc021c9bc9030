// The forms of the records beside orders: fills, events, positions and their movements, idempotency entries, dead man's switches, counters,
// marks. Pure.

import type { ApiErrorKind } from '../../domain/answer.ts';
import type { Fill, Liquidity, Settlement } from '../../domain/fill.ts';
import { type Fraction, fraction } from '../../domain/fraction.ts';
import type { MicroShares, UnixMillis } from '../../domain/numbers.ts';
import type { Position } from '../../domain/position.ts';
import type { CountedFill, Protection, ProtectionScope } from '../../domain/protection.ts';
import type { WalletAction, WalletActionKind, WalletActionStatus, WalletIntent } from '../../domain/wallet-action.ts';
import type {
  ActionEventRecord,
  BookedChange,
  CancelAfter,
  IdempotencyEntry,
  OrderEventRecord,
  StoredAnswer,
  StoredFill,
} from '../order-records.ts';
import { ByteReader, ByteWriter, RecordFault } from './bytes.ts';
import { codec } from './codec.ts';
import {
  dollars,
  errorKindWords,
  millis,
  orderError,
  shares,
  statusWords,
  ticks,
  venueWords,
  writtenOnce,
} from './order-record.ts';
import {
  always,
  bigInteger,
  bytes,
  count,
  type Fields,
  fields,
  flag,
  hex,
  integer,
  name,
  oneOf,
  optional,
  orderId,
  storedAs,
  text,
  words,
} from './schema.ts';

export const settlementWords = words<Settlement>('settlement', {
  MATCHED: 0,
  MINED: 1,
  CONFIRMED: 2,
  RETRYING: 3,
  FAILED: 4,
});
const liquidityWords = words<Liquidity>('liquidity', { MAKER: 0, TAKER: 1 });

const fill = fields<Fill>({
  fillId: text,
  venueTradeId: text,
  price: ticks,
  size: shares,
  fee: dollars,
  liquidity: optional(liquidityWords),
  settlement: settlementWords,
  executedAt: millis,
});
export const storedFill = fields<StoredFill>({ orderId: optional(orderId), fill });
export const fillCodec = codec('fill', storedFill);

/** The numbers of events in the journal. The history's rows have the same numbers. */
export const eventWords = words<OrderEventRecord['event']>('event', { STATUS: 0, FILL: 1, FILL_REVERSED: 2 });

const lowestTerms = storedAs<Fraction, Fraction>(fields({ numerator: bigInteger, denominator: bigInteger }), {
  to: value => value,
  from: ({ numerator, denominator }) => {
    if (denominator <= 0n) throw new RecordFault('a fraction has no denominator');
    const value = fraction(numerator, denominator);
    if (value.denominator !== denominator) throw new RecordFault('a fraction is not in lowest terms');
    return value;
  },
});

export const position = fields<Position>({
  venue: venueWords,
  address: name,
  size: integer(),
  average: lowestTerms,
  realized: lowestTerms,
  fees: dollars,
  isRedeemable: flag,
  updatedAt: millis,
});
export const positionCodec = codec('position', position);

const MOVEMENT: Fields<Omit<BookedChange, 'number'>> = {
  fillId: optional(text),
  change: integer(),
  addressPrice: ticks,
  fee: dollars,
  before: position,
};
/** The codec of a movement. The key holds the movement's number. */
export const bookedCodec = codec('booked-change', fields(MOVEMENT));
export const booked = fields<BookedChange>({ number: count(), ...MOVEMENT });

const sha256 = hex(32);

const answer = fields<StoredAnswer>({
  outcome: storedAs<StoredAnswer['outcome'], ApiErrorKind | null>(optional(errorKindWords), {
    to: outcome => (outcome === 'made' ? null : outcome),
    from: kind => kind ?? 'made',
  }),
  status: statusWords,
  message: text,
  at: millis,
});
const ENTRY = { bodySha256Hex: sha256, answer: optional(answer) };
export const idempotencyEntry = fields<IdempotencyEntry>({ orderId, ...ENTRY });
/** The form of the idempotency entry of an order's own key. */
export const ownEntry = fields<Omit<IdempotencyEntry, 'orderId'>>(ENTRY);
export const idempotencyCodec = codec('idempotency', idempotencyEntry);

export const cancelAfter = fields<CancelAfter>({ keyId: name, actorId: name, podId: name, deadline: millis });
export const cancelAfterCodec = codec('cancel-after', cancelAfter);

const walletIntent = fields<WalletIntent>({ payload: bytes, nonce: bigInteger, deadline: optional(millis) });
export const walletAction = fields<WalletAction>({
  actionId: orderId,
  podId: name,
  actorId: name,
  idempotencyKey: text,
  bodySha256Hex: sha256,
  kind: words<WalletActionKind>('kind of action', { REDEEM: 0, SPLIT: 1, MERGE: 2 }),
  tokenId: name,
  complementId: name,
  isOfWallet: flag,
  shares,
  amount: dollars,
  payout: optional(ticks),
  status: words<WalletActionStatus>('status of an action', { PENDING: 0, SUBMITTED: 1, CONFIRMED: 2, FAILED: 3 }),
  notAfter: optional(millis),
  turn: count(),
  intent: optional(walletIntent),
  excess: storedAs<WalletAction['excess'], { token: MicroShares; complement: MicroShares }>(
    fields({ token: integer(), complement: integer() }),
    {
      to: ([token, complement]) => ({ token, complement }),
      from: ({ token, complement }) => [token, complement],
    },
  ),
  isNonceUsed: flag,
  transactionId: optional(text),
  transactionHash: optional(text),
  createdAt: millis,
  updatedAt: millis,
  error: orderError,
});
export const actionCodec = codec('action', walletAction);

interface OfOrder<Event extends OrderEventRecord['event']>
  extends Omit<OrderEventRecord, 'actorId' | 'cursor' | 'event'> {
  readonly event: Event;
}
type OfAction = Omit<ActionEventRecord, 'actorId' | 'cursor'>;
/** An event of the private stream. The key holds the actor and the cursor, because an actor may get events of another actor's order. */
export type EventRecord = OfOrder<'STATUS'> | OfOrder<'FILL'> | OfOrder<'FILL_REVERSED'> | OfAction;
const ofOrder = <const Event extends OrderEventRecord['event']>(event: Event) =>
  fields<OfOrder<Event>>({ event: always(event), order: writtenOnce, fill: optional(fill), at: millis });
export const eventCodec = codec<EventRecord>(
  'event',
  oneOf('event', ({ event }) => event, {
    STATUS: [0, ofOrder('STATUS')],
    FILL: [1, ofOrder('FILL')],
    FILL_REVERSED: [2, ofOrder('FILL_REVERSED')],
    ACTION: [3, fields<OfAction>({ event: always('ACTION'), action: walletAction, at: millis })],
  }),
  2,
);

const SCOPE: Fields<ProtectionScope> = { actorId: name, venue: venueWords, address: optional(name) };
export const protectionScope = fields<ProtectionScope>(SCOPE);
export const countedFill = fields<CountedFill>({ executedAt: millis, size: shares });

const pairsWriter = new ByteWriter();

/** The form of counted fills: pairs of time and size. */
const countedFills = storedAs<readonly CountedFill[], Uint8Array>(bytes, {
  to: fills => {
    pairsWriter.begin();
    for (const { executedAt, size } of fills) pairsWriter.time(executedAt).count(size);
    return pairsWriter.view();
  },
  from: pairs => {
    const reader = new ByteReader(pairs);
    const fills: CountedFill[] = [];
    while (reader.hasMore) {
      const executedAt = reader.time() as UnixMillis;
      if (executedAt < (fills.at(-1)?.executedAt ?? 0)) throw new RecordFault('counted fills are out of order');
      fills.push({ executedAt, size: reader.count() as MicroShares });
    }
    return fills;
  },
});

export const protection = fields<Protection>({
  ...SCOPE,
  podId: name,
  fillsMax: optional(count()),
  sharesMax: optional(shares),
  windowMs: count(),
  setAt: millis,
  triggered: optional(fields({ at: millis, fills: count(), size: shares })),
  counted: countedFills,
});
export const protectionCodec = codec('protection', protection);

export const counterCodec = codec('counter', count<number>());
export const markCodec = codec('mark', text);

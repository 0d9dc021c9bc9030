// A recording as a table: each recorded event as one row, or one for each of its levels. CSV and Parquet have the same columns. Pure.

import { ASK, BID, type Side, TAKER_BUY, TAKER_UNKNOWN, type TakerSide, type Venue } from '../../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { RecordedEvent } from '../../market-data/recording/format.ts';

/**
 * `book` begins a whole book, which the `level` rows behind it complete. `change` sets one level; the last of its batch has the checksum. The
 * others are as in the format of recordings.
 */
type RowKind = 'book' | 'level' | 'change' | 'trade' | 'state' | 'trades_missed' | 'gap' | 'end';

/** A row with null for values that the event lacks, or that the venue does not state. */
export interface EventRow {
  readonly venue: Venue;
  readonly address: string;
  readonly kind: RowKind;
  /** The time of recording. */
  readonly at: UnixMillis;
  readonly receivedAt: UnixMillis | null;
  readonly venueTime: UnixMillis | null;
  readonly epoch: number | null;
  readonly seq: number | null;
  /** The side of a level (`bid` or `ask`), or the action of a trade's taker. */
  readonly side: 'bid' | 'ask' | 'buy' | 'sell' | null;
  readonly price: Ticks | null;
  readonly size: MicroShares | null;
  readonly state: string | null;
  /** The reason of a state, a book or a gap. */
  readonly reason: string | null;
  readonly checksum: number | null;
  readonly tradeId: string | null;
}

export function rowsOf(event: RecordedEvent): EventRow[] {
  const row = { ...EMPTY_ROW, venue: event.market.venue, address: event.market.address, at: event.at };
  switch (event.kind) {
    case 'book': {
      const placed = { ...row, ...placeOf(event) };
      const level = (side: Side, { price, size }: { readonly price: Ticks; readonly size: MicroShares }): EventRow => ({
        ...placed,
        kind: 'level',
        side: sideName(side),
        price,
        size,
      });
      const { state, reason, checksum, bids, asks } = event;
      return [
        { ...placed, kind: 'book', state, reason, checksum },
        ...bids.map(it => level(BID, it)),
        ...asks.map(it => level(ASK, it)),
      ];
    }
    case 'changes': {
      const placed = { ...row, ...placeOf(event), kind: 'change' } as const;
      const last = event.changes.length - 1;
      return event.changes.map(({ side, price, size }, index) => ({
        ...placed,
        side: sideName(side),
        price,
        size,
        checksum: index === last ? event.checksum : null,
      }));
    }
    case 'trade': {
      const { price, size, takerSide, tradeId } = event;
      return [{ ...row, ...placeOf(event), kind: 'trade', side: takerName(takerSide), price, size, tradeId }];
    }
    case 'state': {
      const { epoch, seq, state, reason } = event;
      return [{ ...row, kind: 'state', epoch, seq, state, reason }];
    }
    case 'tradesMissed':
      return [{ ...row, kind: 'trades_missed' }];
    case 'gap':
      return [{ ...row, kind: 'gap', reason: event.why }];
    case 'end':
      return [{ ...row, kind: 'end' }];
    default:
      return unreachable(event);
  }
}

const EMPTY_ROW = {
  receivedAt: null,
  venueTime: null,
  epoch: null,
  seq: null,
  side: null,
  price: null,
  size: null,
  state: null,
  reason: null,
  checksum: null,
  tradeId: null,
};

interface Placed {
  readonly receivedAt: UnixMillis;
  readonly venueTime: UnixMillis;
  readonly epoch: number;
  readonly seq: number;
}

function placeOf({ receivedAt, venueTime, epoch, seq }: Placed): Pick<EventRow, keyof Placed> {
  return { receivedAt: statedTime(receivedAt), venueTime: statedTime(venueTime), epoch, seq };
}

function statedTime(time: UnixMillis): UnixMillis | null {
  return time === 0 ? null : time;
}

function sideName(side: Side): 'bid' | 'ask' {
  return side === ASK ? 'ask' : 'bid';
}

function takerName(side: TakerSide): 'buy' | 'sell' | null {
  if (side === TAKER_UNKNOWN) return null;
  return side === TAKER_BUY ? 'buy' : 'sell';
}

export interface EventWriter {
  /** Events of a market come in their order. Throws where the disk refuses. */
  write(event: RecordedEvent): void;
  /** The files are complete, and have their names; their paths. */
  close(): Promise<readonly string[]>;
  /** Removes the written files: the export has failed. */
  abandon(): void;
}

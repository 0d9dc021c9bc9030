// A recording as a table. Each recorded event is one row, or one row for each of its levels. CSV and Parquet have the same columns. Pure.

import { ASK, BID, type Side, TAKER_BUY, TAKER_UNKNOWN, type TakerSide, type Venue } from '../../core/domain/market.ts';
import type { MicroShares, Ticks, UnixMillis } from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { RecordedEvent } from '../../market-data/recording/format.ts';

/**
 * The kind of a row. `book` begins a whole book, and the `level` rows after it complete the book. `change` sets one level, and the last
 * change of its batch has the checksum. All other kinds are as in the format of recordings.
 */
type RowKind = 'book' | 'level' | 'change' | 'trade' | 'state' | 'trades_missed' | 'gap' | 'end';

/** A row. Null stands for a value that the event lacks, or that the venue does not state. */
export interface EventRow {
  readonly venue: Venue;
  readonly address: string;
  readonly kind: RowKind;
  /** The time at which the event was recorded. */
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
  /** Writes an event. The events of a market must come in their order. Throws if the disk refuses the write. */
  write(event: RecordedEvent): void;
  /** Completes the files and gives them their final names. Resolves with their paths. */
  close(): Promise<readonly string[]>;
  /** Removes the written files, because the export has failed. */
  abandon(): void;
}

// A fill ↔ bytes: as a record with its owner, and as part of an event. Pure.

import type { Fill, Liquidity, Settlement } from '../../domain/fill.ts';
import type { MicroDollars, MicroShares, Ticks, UnixMillis } from '../../domain/numbers.ts';
import type { StoredFill } from '../order-records.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { codec, readOptional, words, writeOptional } from './codec.ts';

export const settlementWords = words<Settlement>('settlement', {
  MATCHED: 0,
  MINED: 1,
  CONFIRMED: 2,
  RETRYING: 3,
  FAILED: 4,
});
const liquidityWords = words<Liquidity>('liquidity', { MAKER: 0, TAKER: 1 });

export const fillCodec = codec<StoredFill>(
  'fill',
  (writer, { fill, orderId }) => {
    writeOptional(writer, orderId, id => writer.orderId(id));
    writeFill(writer, fill);
  },
  [
    reader => {
      const orderId = readOptional(reader, () => reader.orderId());
      return { orderId, fill: readFill(reader) };
    },
  ],
);

export function writeFill(writer: ByteWriter, fill: Fill): void {
  writer.text(fill.fillId);
  writer.text(fill.venueTradeId);
  writer.count(fill.price);
  writer.count(fill.size);
  writer.integer(fill.fee);
  writeOptional(writer, fill.liquidity, it => writer.byte(liquidityWords.code(it)));
  writer.byte(settlementWords.code(fill.settlement));
  writer.time(fill.executedAt);
}

export function readFill(reader: ByteReader): Fill {
  return {
    fillId: reader.text(),
    venueTradeId: reader.text(),
    price: reader.count() as Ticks,
    size: reader.count() as MicroShares,
    fee: reader.integer() as MicroDollars,
    liquidity: readOptional(reader, () => liquidityWords.read(reader)),
    settlement: settlementWords.read(reader),
    executedAt: reader.time() as UnixMillis,
  };
}

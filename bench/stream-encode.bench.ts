// Cost of encoding one book update: a delta of one change as JSON and as protobuf, and the book's checksum. Some hundred
// markets take turns, with prices, sizes and times as in recordings: two decimals, a few milliseconds apart.

import protobuf from 'protobufjs';
import { ASK, BID, type Level, type MarketKey, type Side } from '../src/core/domain/market.ts';
import {
  formatMicroShares,
  formatTicks,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../src/core/domain/numbers.ts';
import { jsonCodec } from '../src/core/wire/json.ts';
import type { StreamCodec } from '../src/core/wire/messages.ts';
import { protobufCodec } from '../src/core/wire/protobuf.ts';
import { ChecksumWriter } from '../src/market-data/book/checksum.ts';
import { type BenchOptions, type BenchRow, type BenchSuite, compare, type Work } from './harness.ts';

/** The numbers of markets and updates. Powers of two make taking turns almost free. */
const MARKETS = 128;
const UPDATES = 4_096;
const START = Date.UTC(2026, 10, 21, 5, 0, 1, 123) as UnixMillis;
const EPOCH = START * 1_000;
const CHECKSUM = 3_735_928_559;
const DEPTH = 10;

const markets: readonly MarketKey[] = Array.from({ length: MARKETS }, (_, index) => ({
  venue: 'venue_b',
  ticker: `KXNBAGAME-26NOV20BOSLAL-${String(index).padStart(3, '0')}`,
}));

/** Prices and sizes that look random but are the same in every run. */
const updates: readonly Level[] = Array.from({ length: UPDATES }, (_, index) => ({
  price: (100 * (1 + ((index * 37) % 99))) as Ticks,
  size: (10_000 * (1 + ((index * 1_103_515) % 10_000_000))) as MicroShares,
}));

export const suite: BenchSuite = {
  name: 'stream',
  async run(options) {
    return [
      encodeRow('stream/encode-json', jsonCodec, stringifyDeltas(), 'JSON.stringify + Buffer.from', options),
      encodeRow('stream/encode-proto', protobufCodec, protobufjsDeltas(), 'protobufjs encode', options),
      checksumRow(options),
    ];
  },
};

function encodeRow(name: string, codec: StreamCodec, baseline: Work, words: string, options: BenchOptions): BenchRow {
  const { ns, ratio } = compare(templateDeltas(codec), baseline, options);
  return { name, value: ns, unit: 'ns', baseline: words, ratio };
}

/** Encodes as the gateway does: one template for each market, changes in typed arrays. */
function templateDeltas(codec: StreamCodec): Work {
  const templates = markets.map(market => codec.template(market));
  const prices = Int32Array.from(updates, update => update.price);
  const sizes = Float64Array.from(updates, update => update.size);
  return times => {
    let bytes = 0;
    for (let index = 0; index < times; index++) {
      const template = templates[index % MARKETS]!;
      const time = (START + (index >>> 4)) as UnixMillis;
      template.beginDelta(EPOCH, index + 2);
      template.change((index & 1) as Side, prices[index % UPDATES] as Ticks, sizes[index % UPDATES] as MicroShares);
      bytes += template.endDelta(CHECKSUM - index, time, (time + 1) as UnixMillis).length;
    }
    return bytes;
  };
}

/** JSON.stringify at its best: messages are ready, decimals and times are text. */
function stringifyDeltas(): Work {
  const messages = updates.map(({ price, size }, index) => ({
    type: 'delta',
    channel: 'book',
    market: markets[index % MARKETS]!,
    epoch: EPOCH,
    seq: index + 2,
    prevSeq: index + 1,
    changes: [[(index & 1) === BID ? 'bid' : 'ask', formatTicks(price), formatMicroShares(size)]],
    checksum: CHECKSUM - index,
    venueTime: new Date(START + index).toISOString(),
    receivedAt: new Date(START + index + 1).toISOString(),
  }));
  return times => {
    let bytes = 0;
    for (let index = 0; index < times; index++) {
      bytes += Buffer.from(JSON.stringify(messages[index % UPDATES]!)).length;
    }
    return bytes;
  };
}

/** protobufjs at its best: messages are ready, with plain numbers. */
function protobufjsDeltas(): Work {
  const schema = protobuf.loadSync(new URL('../proto/orderbook.proto', import.meta.url).pathname);
  const type = schema.lookupType('crossbook.v1.ServerMessage');
  const messages = updates.map(({ price, size }, index) => ({
    delta: {
      market: { venue: 2, ticker: (markets[index % MARKETS] as { ticker: string }).ticker },
      epoch: EPOCH,
      seq: index + 2,
      prevSeq: index + 1,
      changes: [{ side: 1 + (index & 1), priceTicks: price, sizeMicros: size }],
      checksum: CHECKSUM - index,
      venueTimeMs: START + index,
      receivedAtMs: START + index + 1,
    },
  }));
  return times => {
    let bytes = 0;
    for (let index = 0; index < times; index++) bytes += type.encode(messages[index % UPDATES]!).finish().length;
    return bytes;
  };
}

/** The checksum of ten bids and ten asks, against the same text as one string. */
function checksumRow(options: BenchOptions): BenchRow {
  const books = Array.from({ length: MARKETS }, (_, index) => ({ bids: sideOf(BID, index), asks: sideOf(ASK, index) }));
  const writer = new ChecksumWriter();
  const work: Work = times => {
    let sum = 0;
    for (let index = 0; index < times; index++) {
      const { bids, asks } = books[index % MARKETS]!;
      writer.begin();
      for (let depth = 0; depth < DEPTH; depth++) writer.level(bids[depth]!.price, bids[depth]!.size);
      for (let depth = 0; depth < DEPTH; depth++) writer.level(asks[depth]!.price, asks[depth]!.size);
      sum ^= writer.finish();
    }
    return sum;
  };
  const baseline: Work = times => {
    let characters = 0;
    for (let index = 0; index < times; index++) {
      const { bids, asks } = books[index % MARKETS]!;
      const texts = [...bids, ...asks].map(({ price, size }) => `${formatTicks(price)}:${formatMicroShares(size)}`);
      characters += texts.join('|').length;
    }
    return characters;
  };
  const { ns, ratio } = compare(work, baseline, options);
  return { name: 'stream/checksum', value: ns, unit: 'ns', baseline: 'its text alone, as a string', ratio };
}

function sideOf(side: Side, seed: number): Level[] {
  return Array.from({ length: DEPTH }, (_, index) => ({
    price: (side === BID ? 5_000 - 100 * index : 5_100 + 100 * index) as Ticks,
    size: updates[(seed * DEPTH * 2 + side * DEPTH + index) % UPDATES]!.size,
  }));
}

// Writes recordings in the form of hftbacktest: for each market one `.npz` file of events, in the order of both clocks. Kinds and flags
// follow its documentation (hftbacktest.readthedocs.io, Data, and its module `types`). Its format has floats for prices and sizes. The
// command line's process.

import { closeSync, createReadStream, createWriteStream, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { ASK, BID, type Side, TAKER_BUY, TAKER_UNKNOWN } from '../../core/domain/market.ts';
import {
  MICROS_PER_SHARE,
  type MicroShares,
  TICKS_PER_DOLLAR,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { unreachable } from '../../core/domain/result.ts';
import type { RecordedEvent, RecordedMarket } from '../../market-data/recording/format.ts';
import type { EventWriter } from './event-rows.ts';
import { makeFolder, mustBeNew, partialOf } from './partial-file.ts';

const DEPTH_EVENT = 1;
const TRADE_EVENT = 2;
const DEPTH_CLEAR_EVENT = 3;
const DEPTH_SNAPSHOT_EVENT = 4;
const SELL_EVENT = 2 ** 28;
const BUY_EVENT = 2 ** 29;
/** The flags for both sides of the backtest: the exchange's side and ours. */
const EXCH_AND_LOCAL = 2 ** 31 + 2 ** 30;

interface MarketEvents {
  readonly name: string;
  readonly events: NpyEvents;
  /** Whether the book follows from the events so far. */
  isKnown: boolean;
  /** The times of the last event, in milliseconds. */
  venueMs: number;
  receivedMs: number;
}

export class HftbacktestWriter implements EventWriter {
  readonly #folder: string;
  readonly #markets = new Map<RecordedMarket, MarketEvents>();

  /** Makes the folder. Throws if it cannot be made. */
  constructor(folder: string) {
    makeFolder(folder);
    this.#folder = folder;
  }

  write(event: RecordedEvent): void {
    const market = this.#marketOf(event.market);
    switch (event.kind) {
      case 'book':
        // Each file of a recording begins with books. A book that is known already is skipped.
        if (market.isKnown) return;
        clear(market, event);
        for (const { price, size } of event.bids) addDepth(market, event, DEPTH_SNAPSHOT_EVENT, BID, price, size);
        for (const { price, size } of event.asks) addDepth(market, event, DEPTH_SNAPSHOT_EVENT, ASK, price, size);
        market.isKnown = true;
        return;
      case 'changes':
        for (const { side, price, size } of event.changes) addDepth(market, event, DEPTH_EVENT, side, price, size);
        return;
      case 'trade': {
        const { takerSide, price, size } = event;
        const taker = takerSide === TAKER_BUY ? BUY_EVENT : SELL_EVENT;
        add(market, event, TRADE_EVENT + (takerSide === TAKER_UNKNOWN ? 0 : taker), price, size);
        return;
      }
      case 'state':
        if (event.state === 'RESYNCING') clear(market, recordedAt(event.at));
        return;
      case 'gap':
        market.isKnown = false;
        return;
      case 'end':
        clear(market, recordedAt(event.at));
        market.isKnown = false;
        return;
      case 'tradesMissed':
        return;
      default:
        unreachable(event);
    }
  }

  async close(): Promise<readonly string[]> {
    const paths: string[] = [];
    for (const { name, events } of this.#markets.values()) {
      const path = join(this.#folder, `${name}.npz`);
      events.finish();
      await packNpz(events.path, partialOf(path));
      rmSync(events.path);
      renameSync(partialOf(path), path);
      paths.push(path);
    }
    return paths;
  }

  abandon(): void {
    for (const { name, events } of this.#markets.values()) {
      rmSync(events.path, { force: true });
      rmSync(partialOf(join(this.#folder, `${name}.npz`)), { force: true });
    }
  }

  #marketOf(market: RecordedMarket): MarketEvents {
    const known = this.#markets.get(market);
    if (known !== undefined) return known;
    // This is a safe name for a file, because token ids and tickers consist of letters, digits, points and dashes.
    const name = `${market.venue}-${market.address}`;
    const path = join(this.#folder, `${name}.npz`);
    mustBeNew(path);
    const events = new NpyEvents(partialOf(join(this.#folder, `${name}.npy`)));
    const made = { name, events, isKnown: false, venueMs: 0, receivedMs: 0 };
    this.#markets.set(market, made);
    return made;
  }
}

interface Times {
  /** 0 means that the venue states no time. */
  readonly venueTime: UnixMillis;
  readonly receivedAt: UnixMillis;
}

function recordedAt(at: UnixMillis): Times {
  return { venueTime: 0 as UnixMillis, receivedAt: at };
}

/** Notes that the book is empty or unknown from now on. An event without a side clears both sides. */
function clear(market: MarketEvents, times: Times): void {
  add(market, times, DEPTH_CLEAR_EVENT, 0 as Ticks, 0 as MicroShares);
}

function addDepth(market: MarketEvents, times: Times, kind: number, side: Side, price: Ticks, size: MicroShares): void {
  add(market, times, kind + (side === BID ? BUY_EVENT : SELL_EVENT), price, size);
}

/**
 * Adds an event. In hftbacktest neither clock may step back, and no event may arrive before it happened. If a venue's clock breaks these
 * rules, or states nothing, the nearest time that fits replaces its time.
 */
function add(market: MarketEvents, times: Times, ev: number, price: Ticks, size: MicroShares): void {
  const receivedMs = Math.max(market.receivedMs, times.receivedAt);
  const stated = times.venueTime === 0 ? receivedMs : times.venueTime;
  market.venueMs = Math.min(Math.max(market.venueMs, stated), receivedMs);
  market.receivedMs = receivedMs;
  const { events, venueMs } = market;
  events.add(EXCH_AND_LOCAL + ev, venueMs, receivedMs, price / TICKS_PER_DOLLAR, size / MICROS_PER_SHARE);
}

/** The name of the array that hftbacktest looks for. */
const ENTRY = Buffer.from('data.npy');
const VERSION_NEEDED = 20;
const DEFLATED = 8;
/** The date in the archive, 1980-01-01. A fixed date makes the same recording give the same bytes. */
const DOS_DATE = 0x21;
/** The largest size. Beyond it a zip file needs another format. */
const BYTES_MAX = 0xffff_ffff;
const LOCAL_HEADER_BYTES = 30 + ENTRY.length;

/** Packs `from`, a `.npy` file, into the archive `to`. Rejects if the file is too long, or if the disk refuses the write. */
async function packNpz(from: string, to: string): Promise<void> {
  const { size } = await stat(from);
  if (size > BYTES_MAX)
    throw new Error(`${to}: ${size} bytes of events, and a zip file takes ${BYTES_MAX}: export a shorter time`);
  let checksum = 0;
  const sums = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      checksum = crc32(chunk, checksum);
      done(null, chunk);
    },
  });
  await writeFile(to, Buffer.alloc(LOCAL_HEADER_BYTES));
  await pipeline(createReadStream(from), sums, createDeflateRaw(), createWriteStream(to, { flags: 'a' }));
  const packed = (await stat(to)).size - LOCAL_HEADER_BYTES;
  const file = await open(to, 'r+');
  try {
    const facts = factsOf(checksum, packed, size);
    await file.write(Buffer.concat([Buffer.from('PK\x03\x04'), facts, ENTRY]), 0, LOCAL_HEADER_BYTES, 0);
    const end = directoryOf(facts, LOCAL_HEADER_BYTES + packed);
    await file.write(end, 0, end.length, LOCAL_HEADER_BYTES + packed);
  } finally {
    await file.close();
  }
}

/** The fields that both headers of the entry have, from "version needed" to "extra field length". */
function factsOf(checksum: number, packed: number, unpacked: number): Buffer {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(VERSION_NEEDED, 0);
  facts.writeUInt16LE(DEFLATED, 4);
  facts.writeUInt16LE(DOS_DATE, 8);
  facts.writeUInt32LE(checksum, 10);
  facts.writeUInt32LE(packed, 14);
  facts.writeUInt32LE(unpacked, 18);
  facts.writeUInt16LE(ENTRY.length, 22);
  return facts;
}

/** The directory with one entry, and the end of the file. `at` is the directory's offset. */
function directoryOf(facts: Buffer, at: number): Buffer {
  const madeBy = Buffer.from([VERSION_NEEDED, 0]);
  const entry = Buffer.concat([Buffer.from('PK\x01\x02'), madeBy, facts, Buffer.alloc(14), ENTRY]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([entry, end]);
}

/** The names and types of the fields, little-endian, in their order. */
const FIELDS = [
  ['ev', '<u8'],
  ['exch_ts', '<i8'],
  ['local_ts', '<i8'],
  ['px', '<f8'],
  ['qty', '<f8'],
  ['order_id', '<u8'],
  ['ival', '<i8'],
  ['fval', '<f8'],
] as const;
const EVENT_BYTES = 8 * FIELDS.length;
/** The size of the header, a multiple of 64, as hftbacktest's reader demands. */
const HEADER_BYTES = 256;
const BUFFER_BYTES = 64 * EVENT_BYTES;
const NANOS_PER_MS = 1_000_000n;

/** The header of an array of `count` events. */
function npyHeader(count: number): Buffer {
  const types = FIELDS.map(([name, type]) => `('${name}', '${type}')`).join(', ');
  const text = `{'descr': [${types}], 'fortran_order': False, 'shape': (${count},), }`;
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, 0, 0]);
  start.writeUInt16LE(HEADER_BYTES - start.length, start.length - 2);
  return Buffer.concat([start, Buffer.from(`${text.padEnd(HEADER_BYTES - start.length - 1)}\n`)]);
}

/** One file of events. It keeps no file open between two writes, because a recording may have thousands of markets. */
class NpyEvents {
  readonly path: string;
  #count = 0;
  #buffer = Buffer.alloc(BUFFER_BYTES);
  #used = 0;
  #written = HEADER_BYTES;

  /** Creates the file, or empties it. */
  constructor(path: string) {
    this.path = path;
    this.#put(npyHeader(0), 0, 'w');
  }

  get bytes(): number {
    return HEADER_BYTES + this.#count * EVENT_BYTES;
  }

  /** Adds an event. `ev` is its kind and flags. Times are in Unix milliseconds, the price in dollars, the size in shares. */
  add(ev: number, venueMs: number, receivedMs: number, dollars: number, shares: number): void {
    if (this.#used === this.#buffer.length) this.flush();
    const buffer = this.#buffer;
    const at = this.#used;
    buffer.writeBigUInt64LE(BigInt(ev), at);
    buffer.writeBigInt64LE(BigInt(venueMs) * NANOS_PER_MS, at + 8);
    buffer.writeBigInt64LE(BigInt(receivedMs) * NANOS_PER_MS, at + 16);
    buffer.writeDoubleLE(dollars, at + 24);
    buffer.writeDoubleLE(shares, at + 32);
    // The other fields, which are for orders and for users, stay 0.
    this.#used += EVENT_BYTES;
    this.#count += 1;
  }

  flush(): void {
    if (this.#used === 0) return;
    this.#put(this.#buffer.subarray(0, this.#used), this.#written);
    this.#written += this.#used;
    this.#used = 0;
  }

  finish(): void {
    this.flush();
    this.#put(npyHeader(this.#count), 0);
  }

  #put(bytes: Buffer, position: number, flags = 'r+'): void {
    const file = openSync(this.path, flags);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, position + at);
    } finally {
      closeSync(file);
    }
  }
}

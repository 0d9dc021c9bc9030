// The shared file as a reader sees it between two writes, by the offsets of docs/SHARED-MEMORY.md. This view is the document's twin in
// TypeScript. It lacks the order of reads that a reader beside a writer needs.

import { readFileSync } from 'node:fs';

export interface Field {
  readonly offset: number;
  readonly type: string;
}

/** Returns the tables of the document by their headings: each name with its offset and type. */
export function documentedLayout(
  path = 'docs/SHARED-MEMORY.md',
): Readonly<Record<string, Readonly<Record<string, Field>>>> {
  const text = readFileSync(path, 'utf8');
  const sections = text.split(/^### /m).slice(1);
  return Object.fromEntries(
    sections.map(section => {
      const rows = [...section.matchAll(/^\| (\d+) \| (\S+) \| (\w+) \|/gm)];
      const fields = rows.map(([, offset, type, name]) => [name!, { offset: Number(offset), type: type! }] as const);
      return [section.slice(0, section.indexOf('\n')), Object.fromEntries(fields)];
    }),
  );
}

const LAYOUT = documentedLayout();

interface ViewedBook {
  readonly stamp: number;
  readonly state: number;
  readonly epoch: number;
  readonly seq: number;
  readonly checksum: number;
  readonly lastTrade: number;
  /** The bids as price and size, best first. */
  readonly bids: readonly (readonly [number, number])[];
  readonly asks: readonly (readonly [number, number])[];
}

export type ViewedRecord = Readonly<Record<string, number>> & { readonly id: string };

export class SharedFileView {
  readonly #view: DataView;

  constructor(memory: ArrayBufferLike) {
    this.#view = new DataView(memory);
  }

  header(name: string): number {
    return this.#number(0, LAYOUT.Header![name]!);
  }

  get magic(): string {
    return this.#text(0, 8);
  }

  /** Returns the listed markets with their stamps, by venue and address. */
  symbols(): Map<string, { readonly symbol: number; readonly stamp: number }> {
    const found = new Map<string, { symbol: number; stamp: number }>();
    for (let symbol = 0; symbol < this.header('symbolsUsed'); symbol++) {
      const at = this.header('symbolsOffset') + symbol * this.header('symbolBytes');
      const of = (name: string): number => this.#number(at, LAYOUT.Symbol![name]!);
      if (of('stamp') === 0) continue;
      const name = `${['venue_a', 'venue_b'][of('venue')]} ${this.#text(at + LAYOUT.Symbol!.address!.offset, of('addressLength'))}`;
      found.set(name, { symbol, stamp: of('stamp') });
    }
    return found;
  }

  book(symbol: number): ViewedBook {
    const at = this.header('booksOffset') + symbol * this.header('bookBytes');
    const of = (name: string): number => this.#number(at, LAYOUT.Book![name]!);
    const side = (count: number, prices: string, sizes: string) =>
      Array.from({ length: count }, (_, level) => {
        const [price, size] = [LAYOUT.Book![prices]!.offset + level * 4, LAYOUT.Book![sizes]!.offset + level * 8];
        return [this.#view.getInt32(at + price, true), Number(this.#view.getBigUint64(at + size, true))] as const;
      });
    const [stamp, state, epoch, seq, checksum, lastTrade] = [
      'stamp',
      'state',
      'epoch',
      'seq',
      'checksum',
      'lastTrade',
    ].map(of);
    return {
      ...{ stamp: stamp!, state: state!, epoch: epoch!, seq: seq!, checksum: checksum!, lastTrade: lastTrade! },
      bids: side(of('bids'), 'bidPrices', 'bidSizes'),
      asks: side(of('asks'), 'askPrices', 'askSizes'),
    };
  }

  /** Returns the records behind the record with the sequence `after`, up to the newest. */
  records(after = 0): ViewedRecord[] {
    const count = this.header('ringHead') - after;
    return Array.from({ length: count }, (_, index) => {
      const slot = (after + index) % this.header('ringSlots');
      const at = this.header('ringOffset') + slot * this.header('ringSlotBytes');
      const { tradeId, ...fields } = LAYOUT.Record!;
      const numbers = Object.entries(fields).map(([name, field]) => [name, this.#number(at, field)]);
      return { ...Object.fromEntries(numbers), id: this.#text(at + tradeId!.offset, 64) };
    });
  }

  #number(at: number, { offset, type }: Field): number {
    if (type === 'u8') return this.#view.getUint8(at + offset);
    if (type === 'u32') return this.#view.getUint32(at + offset, true);
    if (type === 'i32') return this.#view.getInt32(at + offset, true);
    return Number(this.#view.getBigUint64(at + offset, true));
  }

  #text(at: number, bytes: number): string {
    return Buffer.from(this.#view.buffer, at, bytes).toString('latin1').replace(/\0.*$/s, '');
  }
}

// The durable store as anybody would write it: a map per table, copied for each transaction. Twin of src/store/durable.

interface NaiveRow {
  readonly key: string;
  readonly value: string;
}

export interface NaiveRange {
  readonly gte?: string;
  readonly lt?: string;
  readonly reverse?: boolean;
  readonly limit: number;
}

/** Keys and values are bytes as latin1, whose order is that of the bytes. */
export class NaiveDurableStore {
  #tables: Map<string, Map<string, string>>;

  constructor(tables: readonly string[]) {
    this.#tables = new Map(tables.map(table => [table, new Map()]));
  }

  get(table: string, key: string): string | undefined {
    return this.#table(table).get(key);
  }

  range(table: string, { gte = '', lt, reverse = false, limit }: NaiveRange): NaiveRow[] {
    const rows = [...this.#table(table)]
      .map(([key, value]) => ({ key, value }))
      .filter(({ key }) => key >= gte && (lt === undefined || key < lt))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    return (reverse ? rows.reverse() : rows).slice(0, limit);
  }

  put(table: string, key: string, value: string): void {
    this.#table(table).set(key, value);
  }

  delete(table: string, key: string): void {
    this.#table(table).delete(key);
  }

  /** What `work` throws undoes it. */
  transact<T>(work: () => T): T {
    const before = new Map([...this.#tables].map(([name, rows]) => [name, new Map(rows)]));
    try {
      return work();
    } catch (error) {
      this.#tables = before;
      throw error;
    }
  }

  #table(name: string): Map<string, string> {
    const table = this.#tables.get(name);
    if (table === undefined) throw new Error(`no table ${name}`);
    return table;
  }
}

// Keys, revocations and limits of all gateways of one NATS (beyond §7), as a stream of JetStream. A change is a record behind the last
// record that its writer has read; each key store follows the stream. The first store to join gives its records to the stream. Main thread,
// and the command line.

import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../limits.ts';
import type { KeyRecords } from '../domain/identity.ts';
import { parseJson } from '../domain/json.ts';
import { ok, type Result } from '../domain/result.ts';
import { NatsError, NatsLink } from '../nats/connection.ts';
import type { NatsSettings } from '../nats/settings.ts';
import { NatsStream } from '../nats/stream.ts';
import { monotonicMs } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { wallTimers } from '../runtime/timers.ts';
import { decodeRecord, encodeRecord, type KeyRecord, recordName } from './key-record.ts';
import type { KeyTransaction } from './key-registry.ts';
import type { KeyStore, KeysAge } from './key-store.ts';
import { StoreError } from './store-error.ts';

const NAME = 'crossbook-keys';
const SUBJECT = 'crossbook.keys';
/** The number of attempts of one change. An attempt fails if another writer comes first. */
const ATTEMPTS_MAX = 100;
/** The largest size of a message, far below the limit of a server. */
const MESSAGE_BYTES_MAX = 256 * 1024;
/** The pause between two looks at the stream's end. A change causes a look at once. */
const LOOK_MS = 250;

export class KeyStream {
  readonly #stream: NatsStream;
  readonly #store: KeyStore;

  /**
   * Makes the store equal to the stream. Rejects with a NatsError, or with a StoreError if the store and the stream have different keys.
   */
  static async open(link: NatsLink, store: KeyStore): Promise<KeyStream> {
    const keys = new KeyStream(await NatsStream.open(link, NAME, SUBJECT), store);
    if (store.position() === null) await keys.#join();
    await keys.catchUp();
    return keys;
  }

  private constructor(stream: NatsStream, store: KeyStore) {
    this.#stream = stream;
    this.#store = store;
  }

  /** Takes in the records that the store lacks, and returns the store's place. Rejects with a NatsError or a StoreError. */
  async catchUp(): Promise<{ readonly madeAt: string; readonly sequence: number }> {
    // The position is read first: a command and its gateway share one store, whose position may move on while the stream is asked.
    const known = this.#store.position();
    const { last, madeAt } = await this.#stream.end();
    if (known !== null && known.madeAt !== madeAt)
      throw new StoreError(
        `stream ${NAME}: was made at ${madeAt}, and the keys here are of one made at ${known.madeAt}`,
      );
    if (known !== null && known.sequence > last)
      throw new StoreError(
        `stream ${NAME}: ends at record ${last}, and had record ${known.sequence}: it has lost records`,
      );
    for (let sequence = (known?.sequence ?? 0) + 1; sequence <= last; sequence++)
      this.#store.take({ madeAt, sequence }, await this.#records(sequence));
    return { madeAt, sequence: last };
  }

  /**
   * Makes a change like `KeyStore.change`, for all gateways. When this resolves, the stream has the change, and it is in force for all
   * readers of this store. Rejects with a NatsError or a StoreError.
   */
  async change<T>(work: (transaction: KeyTransaction) => Result<T, string>): Promise<Result<T, string>> {
    let refusal = '';
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const { madeAt, sequence } = await this.catchUp();
      const planned = this.#store.plan(work);
      if (!planned.ok) return planned;
      const { value, written } = planned.value;
      if (written.length === 0) return ok(value);
      const stored = await this.#stream.append(encodeAll(written), sequence);
      if (stored.type === 'stored') {
        this.#store.take({ madeAt, sequence: stored.sequence }, written);
        await pause(limits.keyLookMs + 1);
        return ok(value);
      }
      refusal = stored.message;
    }
    throw new NatsError(`stream ${NAME}: ${refusal}`);
  }

  /** Calls `listener` when another gateway or command publishes a change, until the returned function is called. */
  onForeign(listener: () => void): () => void {
    return this.#stream.onForeign(listener);
  }

  /**
   * Adds the store's earlier keys to the stream, unless the stream has them. Either the store or the stream must have all keys
   * of the other, so that unrelated keys never mix.
   */
  async #join(): Promise<void> {
    const { last } = await this.#stream.end();
    const theirs = new Set<string>();
    for (let sequence = 1; sequence <= last; sequence++)
      for (const record of await this.#records(sequence)) theirs.add(recordName(record));
    const ours = allRecords(this.#store.read());
    const missing = ours.filter(it => !theirs.has(recordName(it)));
    const names = new Set(ours.map(recordName));
    if (missing.length > 0 && [...theirs].some(name => !names.has(name)))
      throw new StoreError(
        `stream ${NAME}: has no ${recordName(missing[0]!)}, which is in the key store here: begin with an empty one (the folder keys of the data directory)`,
      );
    let sequence = last;
    for (const part of partsOf(missing)) {
      const stored = await this.#stream.append(encodeAll(part), sequence);
      if (stored.type === 'refused') throw new NatsError(`stream ${NAME}: ${stored.message}`);
      sequence = stored.sequence;
    }
  }

  async #records(sequence: number): Promise<readonly KeyRecord[]> {
    const record = await this.#stream.record(sequence);
    if (record === null) throw new StoreError(`stream ${NAME}: record ${sequence} is missing`);
    const rows = parseJson(new TextDecoder().decode(record.payload));
    if (!Array.isArray(rows)) throw new StoreError(`stream ${NAME}: record ${sequence} is not a list of keys`);
    return rows.map(row => {
      const [name, text] = Array.isArray(row) ? (row as readonly unknown[]) : [];
      const decoded = decodeRecord(String(name), Buffer.from(String(text)));
      if (!decoded.ok) throw new StoreError(`stream ${NAME}: record ${sequence}: ${String(name)} ${decoded.error}`);
      return decoded.value;
    });
  }
}

/** Keeps the key store of a gateway at the stream's end. */
export class KeyFollower {
  readonly #link: NatsLink;
  readonly #keys: KeyStream;
  readonly #age: KeysAge;
  readonly #log: Log;
  readonly #stopListening: () => void;
  #cancel: () => void = () => {};
  #isLooking = false;
  #isAskedAgain = false;
  #isClosed = false;
  #isWell = true;

  /** Makes the store equal to the stream. Rejects with a StoreError. */
  static async start(nats: NatsSettings, store: KeyStore, age: KeysAge, log: Log): Promise<KeyFollower> {
    let link: NatsLink | null = null;
    try {
      link = await NatsLink.connect(nats, 'crossbook keys');
      const askedMs = monotonicMs();
      const keys = await KeyStream.open(link, store);
      age.markRead(askedMs);
      return new KeyFollower(link, keys, age, log);
    } catch (error) {
      await link?.close();
      throw error instanceof NatsError ? new StoreError(`keys: ${error.message}`) : error;
    }
  }

  private constructor(link: NatsLink, keys: KeyStream, age: KeysAge, log: Log) {
    this.#link = link;
    this.#keys = keys;
    this.#age = age;
    this.#log = log;
    this.#stopListening = keys.onForeign(() => void this.#check());
    this.#scheduleCheck();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    this.#stopListening();
    await this.#link.close();
  }

  /** Catches up with the stream, one look at a time. */
  async #check(): Promise<void> {
    this.#isAskedAgain = this.#isLooking;
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#cancel();
    do {
      this.#isAskedAgain = false;
      await this.#catchUp();
    } while (this.#isAskedAgain && !this.#isClosed);
    this.#isLooking = false;
    this.#scheduleCheck();
  }

  async #catchUp(): Promise<void> {
    const askedMs = monotonicMs();
    try {
      await this.#keys.catchUp();
      this.#age.markRead(askedMs);
      if (!this.#isWell) this.#log.info('the stream of keys is read again');
      this.#isWell = true;
    } catch (error) {
      if (!(error instanceof NatsError || error instanceof StoreError)) throw error;
      if (this.#isWell && !this.#isClosed)
        this.#log.warn('the stream of keys cannot be read', { error: error.message });
      this.#isWell = false;
    }
  }

  #scheduleCheck(): void {
    if (!this.#isClosed) this.#cancel = wallTimers.after(LOOK_MS, () => void this.#check());
  }
}

/** Returns all records, owners before the records that refer to them. */
function allRecords({ pods, actors, signingKeys, apiKeys }: KeyRecords): readonly KeyRecord[] {
  return [
    ...pods.map(value => ({ kind: 'pod', value }) as const),
    ...actors.map(value => ({ kind: 'actor', value }) as const),
    ...signingKeys.map(value => ({ kind: 'signing-key', value }) as const),
    ...apiKeys.map(value => ({ kind: 'api-key', value }) as const),
  ];
}

function encodeAll(records: readonly KeyRecord[]): Uint8Array {
  const rows = records.map(it => [recordName(it), Buffer.from(encodeRecord(it)).toString()]);
  return Buffer.from(JSON.stringify(rows));
}

function* partsOf(records: readonly KeyRecord[]): Generator<readonly KeyRecord[]> {
  let part: KeyRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    const { length } = encodeRecord(record);
    if (part.length > 0 && bytes + length > MESSAGE_BYTES_MAX) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(record);
    bytes += length;
  }
  if (part.length > 0) yield part;
}

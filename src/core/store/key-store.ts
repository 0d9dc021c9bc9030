// Pods, actors and keys on disk (contract §2), in an LMDB environment of their own. The command line changes them while the gateway reads:
// each request asks for the version, and reads everything again if the version has changed. The version may be `keyLookMs` old, so that few
// requests look at the disk. A change returns only after this time, when no request goes by earlier keys (ADR 0005). Any thread.

import { closeSync, fstatSync, openSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { limits } from '../../limits.ts';
import { wordsOf } from '../domain/error-words.ts';
import { fullActorId, type KeyRecords } from '../domain/identity.ts';
import { isObject, parseJson } from '../domain/json.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import { monotonicMs, sleepThread } from '../runtime/clock.ts';
import { decodeRecord, encodeRecord, type KeyRecord, KINDS, recordName } from './key-record.ts';
import { type KeyBounds, type KeyChanges, KeyRegistry, type KeyTransaction } from './key-registry.ts';
import { type Entry, openEnvironment } from './lmdb.ts';
import { DATA_NAME } from './lmdb-files.ts';
import { StoreError } from './store-error.ts';

/** The record of a stream up to which a store has taken in the keys. */
interface KeyPosition {
  /** The time at which the stream was made, which tells it from another stream of the same name. */
  readonly madeAt: string;
  readonly sequence: number;
}

/** A change that is computed but not made. */
interface PlannedChange<T> {
  readonly value: T;
  readonly written: readonly KeyRecord[];
}

type Work<T> = (transaction: KeyTransaction) => Result<T, string>;

/** The key store. Every method throws a StoreError that names the record or file if the store is damaged or the disk fails. */
export interface KeyStore extends KeyChanges {
  /**
   * Returns the number of the latest commit whose `change` has returned, in any process, or of a later commit. The call is cheap enough for
   * every request, and does not wait for a frozen disk.
   */
  version(): number;
  /** Reads one read snapshot. Ask for the version first: a change between the two calls is then read twice, and not missed. */
  read(): KeyRecords;
  /**
   * Makes several changes as one. When this returns, the change is on disk, and in force for all threads and processes. If `work` fails,
   * nothing changes. Blocks the thread for a flush and `keyLookMs`. Refused if the keys belong to a stream.
   */
  change<T>(work: Work<T>): Result<T, string>;
  /** Returns the store's place in the stream, or null if the keys belong to no stream. */
  position(): KeyPosition | null;
  /** Returns the records that `change` would write. */
  plan<T>(work: Work<T>): Result<PlannedChange<T>, string>;
  /**
   * Takes in the stream's records up to `position`, unless the store has them already. Other threads and processes have the records
   * `keyLookMs` later. Blocks the thread for a flush.
   */
  take(position: KeyPosition, records: readonly KeyRecord[]): void;
  /** Returns why the keys may be out of date: then callers that could raise risk are refused. Null means that the keys are current. */
  staleness(): string | null;
  close(): Promise<void>;
}

/** The name of the record that counts changes. */
const VERSION_NAME = 'version';
/** The name of the record with the store's place in the stream of keys. */
const POSITION_NAME = 'stream';
const OWN_NAMES = [VERSION_NAME, POSITION_NAME];
const REMOVED = 'the keys were removed from the data directory: no change of them is seen';
const OF_STREAM =
  'the keys of this data directory are those of a stream of NATS: give the command the CROSSBOOK_ settings of its gateway';

interface Loaded {
  readonly registry: KeyRegistry;
  readonly version: number;
  readonly position: KeyPosition | null;
}

/** Returns functions that read entries. They throw a StoreError that names the folder and the record. */
function readerOf(folder: string, bounds: KeyBounds) {
  function load(entries: readonly Entry[]): Loaded {
    const registry = new KeyRegistry(bounds);
    const records = entries.filter(({ key }) => !OWN_NAMES.includes(key)).map(decoded);
    for (const kind of KINDS) {
      for (const record of records) {
        const refusal = record.kind === kind ? registry.admit(record) : null;
        if (refusal !== null) throw damage(recordName(record), refusal);
      }
    }
    const version = versionOf(entries.find(({ key }) => key === VERSION_NAME)?.value);
    if (version === 0 && records.length > 0) throw damage(VERSION_NAME, 'is missing');
    const position = positionOf(entries.find(({ key }) => key === POSITION_NAME)?.value);
    return { registry, version, position };
  }

  function decoded({ key, value }: Entry): KeyRecord {
    const record = decodeRecord(key, value);
    if (!record.ok) throw damage(key, record.error);
    return record.value;
  }

  function versionOf(bytes: Uint8Array | undefined): number {
    if (bytes === undefined) return 0;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const version = Number(text);
    if (String(version) === text && Number.isSafeInteger(version) && version > 0) return version;
    throw damage(VERSION_NAME, 'is not a count of changes');
  }

  function positionOf(bytes: Uint8Array | undefined): KeyPosition | null {
    if (bytes === undefined) return null;
    const value = parseJson(Buffer.from(bytes).toString());
    if (isObject(value) && typeof value.madeAt === 'string' && Number.isSafeInteger(value.sequence))
      return { madeAt: value.madeAt, sequence: value.sequence as number };
    throw damage(POSITION_NAME, 'is not a place in a stream');
  }

  function damage(name: string, fault: string): StoreError {
    return new StoreError(`key store ${folder}: record ${JSON.stringify(name)}: ${fault}`);
  }

  return { load, versionOf, positionOf };
}

/**
 * Opens the store; makes the folder and an empty store if they do not exist. `age` says when the store's stream was last read. Null means
 * that the store follows no stream. Throws a StoreError.
 */
export function openKeyStore(
  folder: string,
  bounds: KeyBounds = limits,
  age: Pick<KeysAge, 'problem'> | null = null,
): KeyStore {
  const environment = openEnvironment(folder, limits.keyStoreBytes);
  const file = new StampedFile(join(folder, DATA_NAME));
  const { load, versionOf, positionOf } = readerOf(folder, bounds);
  const looks = new VersionLooks(file, () => versionOf(environment.get(VERSION_NAME)));
  const position = (): KeyPosition | null => positionOf(environment.get(POSITION_NAME));

  function plan<T>(work: Work<T>): Result<PlannedChange<T>, string> {
    const { registry } = load(environment.entries());
    const result = work(registry);
    return result.ok ? ok({ value: result.value, written: registry.written }) : result;
  }

  function take(next: KeyPosition, records: readonly KeyRecord[]): void {
    environment.transact(transaction => {
      const { version, position: known } = load(transaction.entries());
      if (known !== null && known.sequence >= next.sequence) return;
      for (const record of records) transaction.put(recordName(record), encodeRecord(record));
      transaction.put(POSITION_NAME, Buffer.from(JSON.stringify(next)));
      transaction.put(VERSION_NAME, Buffer.from(String(version + 1)));
      // A record that cannot stand beside the others would lock every caller out, so such a record undoes the transaction.
      load(transaction.entries());
    });
    looks.forget();
  }

  function change<T>(work: Work<T>): Result<T, string> {
    const result = environment.transact(transaction => {
      const { registry, version, position: known } = load(transaction.entries());
      if (known !== null) return fail(OF_STREAM);
      const result = work(registry);
      if (!result.ok || registry.written.length === 0) return result;
      for (const record of registry.written) transaction.put(recordName(record), encodeRecord(record));
      transaction.put(VERSION_NAME, Buffer.from(String(version + 1)));
      return result;
    });
    looks.forget();
    if (result.ok) sleepThread(limits.keyLookMs + 1);
    return result;
  }

  return {
    version: () => looks.version(),
    read: () => load(environment.entries()).registry.records(),
    change,
    position,
    plan,
    take,
    staleness: () => (file.isRemoved ? REMOVED : (age?.problem ?? null)),
    createPod: pod => change(it => it.createPod(pod)),
    setPodExposure: (podId, exposureMax) => change(it => it.setPodExposure(podId, exposureMax)),
    createActor: actor => change(it => it.createActor(actor)),
    setActorLimits: (podId, actorId, limitChange) => change(it => it.setActorLimits(podId, actorId, limitChange)),
    addSigningKey: key => change(it => it.addSigningKey(key)),
    revokeSigningKey: (keyId, now) => change(it => it.revokeSigningKey(keyId, now)),
    addApiKey: key => change(it => it.addApiKey(key)),
    revokeApiKey: (apiKeyId, now) => change(it => it.revokeApiKey(apiKeyId, now)),
    close() {
      file.close();
      return environment.close();
    },
  };
}

/** The version of the store, as the last look at its file found it. The look is at most `keyLookMs` old. */
class VersionLooks {
  readonly #file: StampedFile;
  readonly #read: () => number;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #stamp: string | null = null;
  #version = 0;

  constructor(file: StampedFile, read: () => number) {
    this.#file = file;
    this.#read = read;
  }

  version(): number {
    const nowMs = performance.now();
    if (nowMs - this.#lookedAtMs < limits.keyLookMs) return this.#version;
    const stamp = this.#file.stamp();
    if (stamp === null || stamp !== this.#stamp) this.#version = this.#read();
    this.#stamp = stamp;
    this.#lookedAtMs = nowMs;
    return this.#version;
  }

  /** Makes the next call of `version` look anew. */
  forget(): void {
    this.#lookedAtMs = Number.NEGATIVE_INFINITY;
  }
}

/** A time that is coarser than the granularity of all file times: two writes that are further apart have different times. */
const GRAIN_MS = 1_000;

/**
 * Detects writes to a file by the times of the file. Reading the times asks only the kernel, and touches neither the file's pages nor its
 * locks. So it does not wait for a frozen disk.
 */
export class StampedFile {
  readonly #path: string;
  readonly #descriptor: number;
  #isRemoved = false;
  #mtimeMs = 0;
  #ctimeMs = 0;
  #stamp = '';

  /** Throws a StoreError if the file does not exist. */
  constructor(path: string) {
    this.#path = path;
    this.#descriptor = guarded(path, () => openSync(path, 'r'));
  }

  /**
   * Returns the stamp of the file: equal stamps mean equal content. Null means that a later write might leave the same times, because the
   * last write is too recent or its clock is ahead.
   */
  stamp(): string | null {
    const { mtimeMs, ctimeMs, nlink } = guarded(this.#path, this.#look);
    this.#isRemoved = nlink === 0;
    if (Date.now() - mtimeMs <= GRAIN_MS) return null;
    if (mtimeMs !== this.#mtimeMs || ctimeMs !== this.#ctimeMs) {
      [this.#mtimeMs, this.#ctimeMs] = [mtimeMs, ctimeMs];
      this.#stamp = `${mtimeMs} ${ctimeMs}`;
    }
    return this.#stamp;
  }

  readonly #look = (): Stats => fstatSync(this.#descriptor);

  /** Whether no name led to the file at the last stamp. Other processes then read and write another file. */
  get isRemoved(): boolean {
    return this.#isRemoved;
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function guarded<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new StoreError(`store file ${path}: ${wordsOf(error)}`);
  }
}

// The time at which the stream of keys was last read to its end, in memory that all threads share. The doors of the main thread and of the
// engine admit no caller by keys that may be out of date.

/**
 * The time in milliseconds for which the keys count as current after a look. The keys of a gateway that was paused, or that lost its
 * stream, then count as out of date.
 */
const STALE_MS = 3_000;
const WORDS = `the stream of keys has not been read for ${STALE_MS} ms: only cancels are admitted, and nothing was done`;

export class KeysAge {
  readonly memory: SharedArrayBuffer;
  readonly #untilMs: BigInt64Array;

  constructor(memory = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#untilMs = new BigInt64Array(memory);
  }

  /** `askedMs` is the monotonic time before the stream was asked for its end. */
  markRead(askedMs: number): void {
    Atomics.store(this.#untilMs, 0, BigInt(Math.floor(askedMs) + STALE_MS));
  }

  /** The problem in words. Null means that the keys are current. */
  get problem(): string | null {
    return BigInt(Math.floor(monotonicMs())) < Atomics.load(this.#untilMs, 0) ? null : WORDS;
  }
}

// The actors of every pod according to the key store, which is read again only after a change.

/** Returns the full ids of a pod's actors. Throws the key store's StoreError. */
export type ActorsOf = (podId: string) => readonly string[];

export function podActors(store: Pick<KeyStore, 'version' | 'read'>): ActorsOf {
  let version = -1;
  let idsByPod = new Map<string, readonly string[]>();
  return podId => {
    const current = store.version();
    if (current !== version) {
      const byPod = Map.groupBy(store.read().actors, actor => actor.podId);
      idsByPod = new Map([...byPod].map(([pod, actors]) => [pod, actors.map(fullActorId)]));
      version = current;
    }
    return idsByPod.get(podId) ?? [];
  };
}

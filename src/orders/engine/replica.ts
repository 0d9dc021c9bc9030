// The pod's stream, with the engine's journal as a copy of its beginning (ADR 0024). It reads the records that the journal lacks, and
// follows the stream while another gateway owns the pod. As owner it writes each record into the journal once the stream has it. So neither
// the history nor a caller ever knows more than a gateway that takes the pod over. Engine thread.

import { randomUUID } from 'node:crypto';
import { assert } from '../../core/domain/result.ts';
import { NatsError, NatsLink } from '../../core/nats/connection.ts';
import type { NatsSettings } from '../../core/nats/settings.ts';
import { NatsStream } from '../../core/nats/stream.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { LedgerStore } from '../../core/store/order-records.ts';
import { StoreError } from '../../core/store/store-error.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalPositions } from '../journal/positions.ts';
import { ReplicatedLog, type StreamPort } from '../journal/replicated-log.ts';
import {
  marksOf,
  ownerIn,
  type PodOwner,
  secretMarkIn,
  secretMarkOf,
  streamMadeAt,
  streamOf,
  takingRecord,
} from '../ledger/pod-owner.ts';
import { replay } from '../ledger/state/engine-ledger.ts';
import type { LedgerState } from '../ledger/state/state.ts';
import { keepLease, type LeaseParts, watchLease } from './lease.ts';

export interface Replication {
  readonly nats: NatsSettings;
  /** This gateway as an owner. */
  readonly owner: PodOwner;
  /** Silence of another owner after which a standby takes the pod over; null: only the command does. */
  readonly takeOverAfterMs: number | null;
  /** The stream has had this record: the folder of orders, which had it too, may be a new one. 0: none is known. */
  readonly knownPosition: number;
}

/** A connection, and the pod's stream over it. */
export interface PodStream {
  readonly link: Pick<NatsLink, 'publish' | 'subscribe' | 'onChange' | 'close'>;
  readonly stream: StreamPort & Pick<NatsStream, 'read' | 'append'>;
}

/** Rejects with a NatsError. */
export type ConnectPod = (nats: NatsSettings, podId: string) => Promise<PodStream>;

export const connectPod: ConnectPod = async (nats, podId) => {
  const link = await NatsLink.connect(nats, `crossbook ${podId}`);
  const { name, subject } = streamOf(podId);
  try {
    return { link, stream: await NatsStream.open(link, name, subject) };
  } catch (error) {
    await link.close();
    throw error;
  }
};

/** The events of a standby. */
export interface StandbyNews {
  /** Who owns the pod now. */
  owner(owner: PodOwner): void;
  /** The owner is silent: this gateway takes the pod over, unless the stream refuses that. */
  silent(owner: PodOwner): void;
  /** A record of the stream cannot be read: nothing is followed until a later release is started here. */
  stopped(words: string): void;
}

interface ReplicaParts {
  readonly podId: string;
  readonly secretHex: string;
  /** Opened, and replayed into `state`. */
  readonly journal: Journal;
  readonly positions: JournalPositions;
  readonly state: LedgerState;
  readonly timers: Timers;
  readonly connect: ConnectPod;
  /** The pod has another owner: nothing may be sent any more. Called once. */
  readonly lost: (words: string) => void;
}

/** Pause before the stream is read again after a fault, or after a change of owners. */
const FOLLOW_AGAIN_MS = 200;

interface Gate {
  readonly sequence: number;
  open(): void;
}

export class Replica {
  readonly #parts: ReplicaParts;
  readonly #owner: PodOwner;
  readonly #takeOverAfterMs: number | null;
  readonly #link: PodStream['link'];
  readonly #stream: PodStream['stream'];
  readonly #madeAt: string;
  /** Null if this gateway has not owned the pod since its start. */
  #owned: ReplicatedLog | null = null;
  #endLease: () => void = () => {};
  #isClosed = false;
  /** Acknowledged, and refused by the disk so far. */
  readonly #unwritten: Uint8Array[] = [];
  #gates: Gate[] = [];

  /** Reads the stream to its end. Rejects with a StoreError if it cannot be read, or does not fit the journal. */
  static async open(replication: Replication, parts: ReplicaParts): Promise<Replica> {
    let pod: PodStream | null = null;
    try {
      pod = await parts.connect(replication.nats, parts.podId);
      const { last, madeAt } = await pod.stream.end();
      refuseOtherStream(parts, { name: pod.stream.name, last, madeAt }, replication.knownPosition);
      const replica = new Replica(parts, replication, pod, madeAt);
      await replica.#readUpTo(last);
      refuseOtherSecret(parts);
      return replica;
    } catch (error) {
      await pod?.link.close();
      throw error instanceof NatsError ? new StoreError(`pod ${parts.podId}: ${error.message}`) : error;
    }
  }

  private constructor(
    parts: ReplicaParts,
    { owner, takeOverAfterMs }: Replication,
    { link, stream }: PodStream,
    madeAt: string,
  ) {
    this.#parts = parts;
    this.#owner = owner;
    this.#takeOverAfterMs = takeOverAfterMs;
    this.#link = link;
    this.#stream = stream;
    this.#madeAt = madeAt;
  }

  /** Owner of the pod, as far as the stream is read; null: this gateway, or none yet. */
  get elsewhere(): PodOwner | null {
    const owner = ownerIn(this.#parts.state);
    return owner === null || owner.gatewayId === this.#owner.gatewayId ? null : owner;
  }

  /**
   * Keeps journal and state at the stream's end until the stream gives the pod to this gateway, or until `close`. It stays at a record that
   * it cannot read, as of an owner of a later release, and then must not take the pod over.
   */
  async follow(news: StandbyNews): Promise<void> {
    for (let owner = this.elsewhere; owner !== null && !this.#isClosed; owner = this.elsewhere) {
      news.owner(owner);
      const { gatewayId, url } = owner;
      const endWatch = this.#watch(owner, news);
      // A new owner may have the address of the former one, whose machine was replaced.
      const isAnother = (): boolean => this.elsewhere?.gatewayId !== gatewayId || this.elsewhere.url !== url;
      const unreadable = await this.#readUntil(isAnother).catch(unreadableIn);
      endWatch();
      if (typeof unreadable === 'string') return this.#stay(unreadable, news);
      await new Promise<void>(resolve => void this.#parts.timers.after(FOLLOW_AGAIN_MS, resolve));
    }
  }

  async #stay(words: string, news: StandbyNews): Promise<void> {
    news.stopped(words);
    while (!this.#isClosed) await new Promise<void>(resolve => void this.#parts.timers.after(FOLLOW_AGAIN_MS, resolve));
  }

  get next(): number {
    return this.#log.next;
  }

  /** Why records cannot be made durable now; null: no reason is known. */
  get problem(): StoreError | null {
    return this.#log.problem;
  }

  /** Takes ownership: from then on the stream refuses every other owner. Rejects with a StoreError. */
  async own(store: LedgerStore): Promise<void> {
    const { secretHex, timers, lost, journal } = this.#parts;
    const secretMark = secretMarkOf(secretHex);
    this.#owned = new ReplicatedLog({
      stream: this.#stream,
      timers,
      lost,
      term: randomUUID(),
      from: journal.sequence,
      kept: payload => this.#keep(payload),
    });
    store.change(step => {
      for (const [name, value] of marksOf(this.#owner, this.#madeAt, secretMark)) step.putMark(name, value);
    });
    await this.#log.durable();
    this.#endLease = keepLease(this.#lease, this.#owner.gatewayId);
  }

  /** Throws a StoreError if the disk still refuses earlier records, or the stream takes none. */
  append(record: Uint8Array): void {
    this.#write();
    this.#log.append(record);
  }

  durable(): Promise<void> {
    return this.#log.durable();
  }

  fence(): Promise<void> | null {
    return this.#log.fence();
  }

  cancelFence(): Promise<void> | null {
    return this.#log.cancelFence();
  }

  /** Runs `task` once everything appended so far is in the stream and in the journal; never if that is lost with the ownership. */
  whenKept(task: () => void): void {
    const sequence = this.#log.next - 1;
    if (this.#parts.journal.sequence >= sequence) task();
    else this.#gates.push({ sequence, open: task });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endLease();
    this.#owned?.close();
    await this.#link.close();
  }

  get #log(): ReplicatedLog {
    assert(this.#owned !== null, 'only an owner appends');
    return this.#owned;
  }

  get #lease(): LeaseParts {
    const { podId, timers } = this.#parts;
    return { podId, timers, link: this.#link };
  }

  #watch(owner: PodOwner, news: StandbyNews): () => void {
    const afterMs = this.#takeOverAfterMs;
    if (afterMs === null) return () => {};
    const expired = (): void => {
      news.silent(owner);
      // Refused if there is a record that is not read here: its owner appends, or another standby was first.
      this.#stream.append(takingRecord(this.#owner), this.#parts.journal.sequence).catch(faultOfNats);
    };
    return watchLease(this.#lease, { gatewayId: owner.gatewayId, afterMs, expired });
  }

  async #readUpTo(last: number): Promise<void> {
    const { journal } = this.#parts;
    if (journal.sequence < last) await this.#readUntil(() => journal.sequence === last);
  }

  async #readUntil(isEnough: () => boolean): Promise<void> {
    const { journal, state } = this.#parts;
    for await (const { sequence, payload } of this.#stream.read(journal.next)) {
      replay(state, sequence, payload);
      await this.#copied(payload);
      if (isEnough() || this.#isClosed) return;
    }
  }

  /** A full disk is waited for: the state has the record already. */
  async #copied(payload: Uint8Array): Promise<void> {
    for (this.#keep(payload); this.#unwritten.length > 0 && !this.#isClosed; this.#keep(null))
      await new Promise<void>(resolve => void this.#parts.timers.after(FOLLOW_AGAIN_MS, resolve));
  }

  /** Null means nothing more. */
  #keep(payload: Uint8Array | null): void {
    if (payload !== null) this.#unwritten.push(payload);
    try {
      this.#write();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  #write(): void {
    const { journal, positions } = this.#parts;
    for (let payload = this.#unwritten[0]; payload !== undefined; payload = this.#unwritten[0]) {
      journal.append(payload);
      this.#unwritten.shift();
      positions.appended = journal.sequence;
    }
    const open = this.#gates.filter(it => it.sequence <= journal.sequence);
    if (open.length === 0) return;
    this.#gates = this.#gates.filter(it => it.sequence > journal.sequence);
    for (const gate of open) gate.open();
  }
}

interface FoundStream {
  readonly name: string;
  readonly last: number;
  readonly madeAt: string;
}

function refuseOtherStream(
  { podId, journal, state }: ReplicaParts,
  { name, last, madeAt }: FoundStream,
  knownPosition: number,
): void {
  const ours = streamMadeAt(state);
  if (journal.sequence > 0 && ours === null)
    throw new StoreError(
      `pod ${podId}: its orders here are of no stream: a replicated pod begins with a data directory without orders`,
    );
  if (ours !== null && ours !== madeAt)
    throw new StoreError(
      `pod ${podId}: the stream ${name} was made at ${madeAt}, and the orders here are of one made at ${ours}`,
    );
  const acknowledged = Math.max(journal.sequence, knownPosition);
  if (last < acknowledged)
    throw new StoreError(
      `pod ${podId}: the stream ${name} ends at record ${last}, and has acknowledged ${acknowledged}: it has lost records`,
    );
}

function refuseOtherSecret({ podId, state, secretHex }: ReplicaParts): void {
  const known = secretMarkIn(state);
  if (known === null || known === secretMarkOf(secretHex)) return;
  throw new StoreError(
    `pod ${podId}: pods/${podId}.secret of the data directory is not the pod’s: copy it from the gateway that had the pod`,
  );
}

/** The words for a record that no later reading can read. Faults of NATS have no words here, since the record is read again. */
function unreadableIn(error: unknown): string | null {
  if (error instanceof StoreError) return error.message;
  faultOfNats(error);
  return null;
}

/** The stream is read again. */
function faultOfNats(error: unknown): void {
  if (!(error instanceof NatsError)) throw error;
}

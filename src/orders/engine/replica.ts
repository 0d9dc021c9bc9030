// The pod's stream; the engine's journal is a copy of the stream's beginning (ADR 0024). The replica reads the records that the journal
// lacks, and follows the stream while another gateway owns the pod. As owner, it writes each record into the journal once the stream has
// the record. So neither the history nor a caller ever knows more than a gateway that takes the pod over. Engine thread.

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
  ownershipRecord,
  type PodOwner,
  readOwner,
  secretMarkIn,
  secretMarkOf,
  streamMadeAt,
  streamOf,
} from '../ledger/pod-owner.ts';
import { replay } from '../ledger/state/engine-ledger.ts';
import type { LedgerState } from '../ledger/state/state.ts';
import { keepLease, type LeaseParts, watchLease } from './lease.ts';

export interface Replication {
  readonly nats: NatsSettings;
  /** This gateway, as its records name it when it owns the pod. */
  readonly owner: PodOwner;
  /** How long another owner must be silent before this standby takes the pod over. Null means that only the command takes it over. */
  readonly takeOverAfterMs: number | null;
  /**
   * The position of a record that the stream is known to have had. The folder of orders had this record too, but may have been replaced. 0
   * means that no position is known.
   */
  readonly knownPosition: number;
}

/** A connection to NATS, and the pod's stream over it. */
export interface PodStream {
  readonly link: Pick<NatsLink, 'publish' | 'subscribe' | 'onChange' | 'close'>;
  readonly stream: StreamPort & Pick<NatsStream, 'read' | 'append'>;
}

/** Connects to NATS and opens the pod's stream. Rejects with a NatsError. */
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

/** The callbacks for the events of a standby. */
export interface StandbyNews {
  /** Called with the gateway that owns the pod now. */
  onOwner(owner: PodOwner): void;
  /** Called when the owner is silent: this gateway takes the pod over, unless the stream refuses. */
  onSilent(owner: PodOwner): void;
  /** Called when a record of the stream cannot be read. The stream is not followed further until a later release is started here. */
  onStopped(words: string): void;
}

interface ReplicaParts {
  readonly podId: string;
  readonly secretHex: string;
  /** The journal, already opened and replayed into `state`. */
  readonly journal: Journal;
  readonly positions: JournalPositions;
  readonly state: LedgerState;
  readonly timers: Timers;
  readonly connect: ConnectPod;
  /** Called once when the pod has another owner: nothing may be sent any more. */
  readonly onLost: (words: string) => void;
}

/** The pause before the stream is read again after a fault, or after a change of owners. */
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
  /** The log of this gateway as owner. Null means that this gateway has not owned the pod since its start. */
  #owned: ReplicatedLog | null = null;
  #endLease: () => void = () => {};
  #isClosed = false;
  /** Records that the stream has acknowledged, but that the disk has refused so far. */
  readonly #unwritten: Uint8Array[] = [];
  #gates: Gate[] = [];

  /** Opens the stream and reads it to its end. Rejects with a StoreError if the stream cannot be read, or does not fit the journal. */
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

  /**
   * The other gateway that owns the pod, as far as the stream is read. Null means that this gateway owns the pod, or that nobody does yet.
   */
  get otherOwner(): PodOwner | null {
    const owner = readOwner(this.#parts.state);
    return owner === null || owner.gatewayId === this.#owner.gatewayId ? null : owner;
  }

  /**
   * Keeps journal and state at the stream's end until the stream gives the pod to this gateway, or until `close`. It stops at a record that
   * it cannot read, such as a record of a later release, and then must not take the pod over.
   */
  async follow(news: StandbyNews): Promise<void> {
    for (let owner = this.otherOwner; owner !== null && !this.#isClosed; owner = this.otherOwner) {
      news.onOwner(owner);
      const { gatewayId, url } = owner;
      const endWatch = this.#watch(owner, news);
      // The URL alone does not identify an owner: after a machine was replaced, the new owner may have the former owner's URL.
      const isAnother = (): boolean => this.otherOwner?.gatewayId !== gatewayId || this.otherOwner.url !== url;
      const unreadable = await this.#readUntil(isAnother).catch(lastingFault);
      endWatch();
      if (typeof unreadable === 'string') return this.#stopFollowing(unreadable, news);
      await new Promise<void>(resolve => void this.#parts.timers.after(FOLLOW_AGAIN_MS, resolve));
    }
  }

  async #stopFollowing(words: string, news: StandbyNews): Promise<void> {
    news.onStopped(words);
    while (!this.#isClosed) await new Promise<void>(resolve => void this.#parts.timers.after(FOLLOW_AGAIN_MS, resolve));
  }

  get next(): number {
    return this.#log.next;
  }

  /** Why records cannot be made durable now. Null means that no reason is known. */
  get problem(): StoreError | null {
    return this.#log.problem;
  }

  /** Takes ownership of the pod. From then on the stream refuses every other owner's records. Rejects with a StoreError. */
  async takeOwnership(store: LedgerStore): Promise<void> {
    const { secretHex, timers, onLost, journal } = this.#parts;
    const secretMark = secretMarkOf(secretHex);
    this.#owned = new ReplicatedLog({
      stream: this.#stream,
      timers,
      onLost,
      term: randomUUID(),
      from: journal.sequence,
      onKept: payload => this.#tryWrite(payload),
    });
    store.change(step => {
      for (const [name, value] of marksOf(this.#owner, this.#madeAt, secretMark)) step.putMark(name, value);
    });
    await this.#log.durable();
    this.#endLease = keepLease(this.#lease, this.#owner.gatewayId);
  }

  /** Appends a record. Throws a StoreError if the disk still refuses earlier records, or the stream takes no records. */
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

  /**
   * Runs `task` once everything appended so far is in the stream and in the journal. Never runs it if those records are lost with the
   * ownership.
   */
  afterKept(task: () => void): void {
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
    const onExpired = (): void => {
      news.onSilent(owner);
      // The stream refuses this record if it has a record that is not read here: then its owner appends, or another standby was first.
      this.#stream.append(ownershipRecord(this.#owner), this.#parts.journal.sequence).catch(ignoreNatsFault);
    };
    return watchLease(this.#lease, { gatewayId: owner.gatewayId, afterMs, onExpired });
  }

  async #readUpTo(last: number): Promise<void> {
    const { journal } = this.#parts;
    if (journal.sequence < last) await this.#readUntil(() => journal.sequence === last);
  }

  async #readUntil(isEnough: () => boolean): Promise<void> {
    const { journal, state } = this.#parts;
    for await (const { sequence, payload } of this.#stream.read(journal.next)) {
      replay(state, sequence, payload);
      await this.#copy(payload);
      if (isEnough() || this.#isClosed) return;
    }
  }

  /** Writes a record into the journal. On a full disk this waits, because the state already has the record. */
  async #copy(payload: Uint8Array): Promise<void> {
    for (this.#tryWrite(payload); this.#unwritten.length > 0 && !this.#isClosed; this.#tryWrite(null))
      await new Promise<void>(resolve => void this.#parts.timers.after(FOLLOW_AGAIN_MS, resolve));
  }

  /** Writes a record, and before it those that the disk has refused. Null means that there is no new record. */
  #tryWrite(payload: Uint8Array | null): void {
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
      `pod ${podId}: its orders here belong to no stream: a replicated pod begins with a data directory without orders`,
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

/** Returns why the record can never be read. Returns null for a fault of NATS, after which the record is read again. */
function lastingFault(error: unknown): string | null {
  if (error instanceof StoreError) return error.message;
  ignoreNatsFault(error);
  return null;
}

/** Ignores a fault of NATS, because the stream is read again. Throws every other error. */
function ignoreNatsFault(error: unknown): void {
  if (!(error instanceof NatsError)) throw error;
}

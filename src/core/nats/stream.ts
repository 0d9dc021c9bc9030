// One stream of JetStream with one subject, used as a log. A record is published with the sequence with which the log must end, so that one
// of two writers is refused. The stream is made if it is absent. A stream that an operator has made, with replicas for example, is used
// unchanged. Any thread.

import { randomUUID } from 'node:crypto';
import { wordsOf } from '../domain/error-words.ts';
import { NatsError, type NatsLink, type NatsMessage } from './connection.ts';

/** The time that JetStream may take to answer a question. */
const ANSWER_MS = 2_000;
/** The time to wait for the outcome of one appended record. */
const STORED_MS = 5_000;
/** The time for which the stream knows message ids. After this time, a record is found by its sequence. */
const DUPLICATE_WINDOW_NANOS = 120 * 1_000_000_000;
/** The number of records that a reader requests at a time. */
const READ_RECORDS = 1_000;
/** The size that the headers of a message may add to its payload. */
const HEADER_BYTES = 1_024;

const ID = 'Nats-Msg-Id';
const LAST_SEQUENCE = 'Nats-Expected-Last-Sequence';
const LAST_ID = 'Nats-Expected-Last-Msg-Id';

interface StreamEnd {
  /** The sequence of the last record. 0 means that the stream has no record. */
  readonly last: number;
  /** The time at which the stream was made, which tells it from another stream of the same name. */
  readonly madeAt: string;
}

export interface StreamRecord {
  readonly sequence: number;
  /** The id of the message; empty if it has none. */
  readonly id: string;
  readonly payload: Uint8Array;
}

export interface Expected {
  readonly id: string;
  /** The sequence of the record that must be the last of the stream, or the new record is not stored. */
  readonly lastSequence: number;
  /** The message id that this last record must have. Null means that any id will do. */
  readonly lastId: string | null;
}

/** JetStream's answer to a published record. */
export type Stored =
  | { readonly type: 'stored'; readonly sequence: number }
  | { readonly type: 'refused'; readonly message: string };

type JetStream = Awaited<ReturnType<NatsLink['jetStream']>>;

export class NatsStream {
  readonly name: string;
  readonly #subject: string;
  readonly #link: NatsLink;
  readonly #jetStream: JetStream;

  /** Opens the stream. Rejects with a NatsError. */
  static async open(link: NatsLink, name: string, subject: string): Promise<NatsStream> {
    const jetStream = await link.jetStream(ANSWER_MS);
    const stream = new NatsStream(link, jetStream, name, subject);
    await stream.#make();
    return stream;
  }

  private constructor(link: NatsLink, jetStream: JetStream, name: string, subject: string) {
    this.#link = link;
    this.#jetStream = jetStream;
    this.name = name;
    this.#subject = subject;
  }

  /** The length of the longest record that the stream takes. */
  get recordBytesMax(): number {
    return this.#link.messageBytesMax - HEADER_BYTES;
  }

  /** Returns the end of the stream. Rejects with a NatsError. */
  end(): Promise<StreamEnd> {
    return this.#request(async streams => {
      const { state, created } = await streams.info(this.name);
      return { last: state.last_seq, madeAt: created };
    });
  }

  /** Returns a record, or null if the record does not exist. Rejects with a NatsError. */
  record(sequence: number): Promise<StreamRecord | null> {
    return this.#request(async streams => {
      const message = await streams.getMessage(this.name, { seq: sequence });
      return message === null ? null : { sequence, id: message.header.get(ID), payload: message.data };
    });
  }

  /** Yields the records from the sequence `from` on, and later records as they come, until the reader stops. Rejects with a NatsError. */
  async *read(from: number): AsyncGenerator<StreamRecord, void> {
    let next = from;
    try {
      const consumer = await this.#jetStream.consumers.get(this.name, {
        deliver_policy: 'by_start_sequence',
        opt_start_seq: from,
      });
      const messages = await consumer.consume({ max_messages: READ_RECORDS });
      try {
        for await (const { seq, headers, data } of messages) {
          if (seq !== next) throw new NatsError(`stream ${this.name}: record ${next} is missing`);
          yield { sequence: next, id: headers?.get(ID) ?? '', payload: data };
          next += 1;
        }
      } finally {
        await messages.close();
      }
    } catch (error) {
      throw this.#faultOf(error);
    }
  }

  /**
   * Publishes `payload`. The payload is kept until it is sent, so it must not change. The outcome comes to the subject `reply`. Throws a
   * NatsError once the link is closed.
   */
  publish(payload: Uint8Array, { id, lastSequence, lastId }: Expected, reply: string): void {
    const headers = {
      [ID]: id,
      [LAST_SEQUENCE]: String(lastSequence),
      ...(lastId === null ? {} : { [LAST_ID]: lastId }),
    };
    this.#link.publish(this.#subject, payload, { reply, headers });
  }

  /** Appends one record after the record with the sequence `lastSequence`. Rejects with a NatsError if the outcome is unknown. */
  async append(payload: Uint8Array, lastSequence: number): Promise<Stored> {
    const { promise, resolve, reject } = Promise.withResolvers<Stored>();
    const { prefix, stop } = this.onStored((_tag, stored) => resolve(stored));
    const words = `stream ${this.name}: no answer within ${STORED_MS} ms: the record may be stored`;
    const timer = setTimeout(() => reject(new NatsError(words)), STORED_MS);
    try {
      const id = `${this.name}.${lastSequence + 1}.${randomUUID()}`;
      this.publish(payload, { id, lastSequence, lastId: null }, `${prefix}one`);
      return await promise;
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  /** Calls `listener` for records that others publish to the stream, stored or not, until the returned function is called. */
  onForeign(listener: () => void): () => void {
    return this.#link.subscribe(this.#subject, listener);
  }

  /** Calls `listener` when the connection is lost, until the returned function is called. */
  onDown(listener: () => void): () => void {
    return this.#link.onChange(isUp => {
      if (!isUp) listener();
    });
  }

  /** Calls `listener` for the answers to published records, with the end of the subject of each answer. */
  onStored(listener: (tag: string, stored: Stored) => void): { readonly prefix: string; stop(): void } {
    const inbox = this.#link.inbox();
    const stop = this.#link.subscribe(`${inbox}.*`, message => {
      listener(message.subject.slice(inbox.length + 1), storedOf(message));
    });
    return { prefix: `${inbox}.`, stop };
  }

  async #make(): Promise<void> {
    try {
      await this.#jetStream.streams.info(this.name);
    } catch (error) {
      // Any other fault occurs again at the next request, and is reported then.
      await this.#request(streams =>
        streams.add({
          name: this.name,
          subjects: [this.#subject],
          storage: 'file',
          retention: 'limits',
          discard: 'new',
          duplicate_window: DUPLICATE_WINDOW_NANOS,
          deny_delete: true,
        }),
      ).catch(second => {
        throw new NatsError(`${wordsOf(second)} (${wordsOf(error)})`);
      });
    }
  }

  async #request<T>(ask: (streams: JetStream['streams']) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#jetStream.streams);
    } catch (error) {
      throw this.#faultOf(error);
    }
  }

  #faultOf(error: unknown): NatsError {
    return error instanceof NatsError ? error : new NatsError(`stream ${this.name}: ${wordsOf(error)}`);
  }
}

interface AckBody {
  readonly seq?: number;
  readonly error?: { readonly description?: string };
}

const NO_RESPONDERS = 503;

function storedOf({ data, headers }: NatsMessage): Stored {
  if (headers?.code === NO_RESPONDERS) return { type: 'refused', message: 'no answer: JetStream does not run' };
  try {
    const { seq, error } = JSON.parse(new TextDecoder().decode(data)) as AckBody;
    if (error === undefined && seq !== undefined) return { type: 'stored', sequence: seq };
    return { type: 'refused', message: error?.description ?? 'an answer without a sequence' };
  } catch {
    return { type: 'refused', message: 'an answer that cannot be read' };
  }
}

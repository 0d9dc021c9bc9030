// A simulated stream of JetStream, with the promises of JetStream and no more. It stores a record behind the sequence and the id that the
// record expects, and acknowledges a known id as before. Messages of one connection stay in order. They may be late, or lost with their
// connection.

import { NatsError } from '../../src/core/nats/connection.ts';
import type { Expected, Stored, StreamRecord } from '../../src/core/nats/stream.ts';
import type { PodStream } from '../../src/orders/engine/replica.ts';
import type { Schedule } from './schedule.ts';

const RECORD_BYTES_MAX = 1_000_000;
const ANSWER_MS = 2_000;

export class SimulatedStream {
  readonly records: StreamRecord[] = [];
  readonly schedule: Schedule;
  readonly #ids = new Map<string, number>();
  readonly #connections = new Set<Connection>();
  readonly #stored: (record: StreamRecord) => void;

  /** `stored` is called with each record. */
  constructor(schedule: Schedule, stored: (record: StreamRecord) => void) {
    this.schedule = schedule;
    this.#stored = stored;
  }

  /** Connects a process. `own` is the time as that process has it. */
  connect(own: Schedule): PodStream {
    const connection = new Connection(this, own);
    this.#connections.add(connection);
    return connection.port(() => this.#connections.delete(connection));
  }

  /** Breaks one of the connections for a while. */
  breakOne(forMs: number): void {
    const all = [...this.#connections];
    if (all.length > 0) this.schedule.random.pick(all).break(forMs);
  }

  publish(payload: Uint8Array, { id, lastSequence, lastId }: Expected, from: Connection | null): Stored {
    const known = this.#ids.get(id);
    if (known !== undefined) return { type: 'stored', sequence: known };
    for (const connection of this.#connections) if (connection !== from) connection.tellForeign();
    const last = this.records.at(-1);
    if (lastSequence !== this.records.length)
      return { type: 'refused', message: `wrong last sequence: ${this.records.length}` };
    if (lastId !== null && last?.id !== lastId) return { type: 'refused', message: `wrong last msg ID: ${last?.id}` };
    const sequence = this.records.length + 1;
    const record = { sequence, id, payload: Uint8Array.from(payload) };
    this.records.push(record);
    this.#ids.set(id, sequence);
    this.#stored(record);
    return { type: 'stored', sequence };
  }
}

class Connection {
  readonly #stream: SimulatedStream;
  readonly #own: Schedule;
  readonly #foreign = new Set<() => void>();
  readonly #down = new Set<() => void>();
  /** The inboxes by their number. */
  readonly #inboxes = new Map<string, (tag: string, stored: Stored) => void>();
  #inbox = 0;
  #thereAt = 0;
  #backAt = 0;
  #isUp = true;
  #isClosed = false;
  /** The number of the connection. Messages of an earlier connection are lost. */
  #number = 0;

  constructor(stream: SimulatedStream, own: Schedule) {
    this.#stream = stream;
    this.#own = own;
  }

  port(closed: () => void): PodStream {
    return {
      link: {
        publish: () => {},
        subscribe: () => () => {},
        onChange: () => () => {},
        close: async () => {
          this.#isUp = false;
          this.#isClosed = true;
          this.#number += 1;
          closed();
        },
      },
      stream: {
        name: 'simulated',
        recordBytesMax: RECORD_BYTES_MAX,
        end: () => this.#asked(() => ({ last: this.#stream.records.length, madeAt: 'then' })),
        record: sequence => this.#asked(() => this.#stream.records[sequence - 1] ?? null),
        read: from => this.#read(from),
        append: (payload, lastSequence) => {
          const id = `append.${lastSequence}.${this.#stream.schedule.random.next()}`;
          return this.#asked(() => this.#stream.publish(payload, { id, lastSequence, lastId: null }, this));
        },
        publish: (payload, expected, reply) => {
          const copy = Uint8Array.from(payload);
          const [inbox = '', tag = ''] = reply.split('|');
          this.#there(() => {
            const stored = this.#stream.publish(copy, expected, this);
            this.#back(() => this.#inboxes.get(inbox)?.(tag, stored));
          });
        },
        onForeign: hear => added(this.#foreign, hear),
        onDown: hear => added(this.#down, hear),
        onStored: hear => {
          const name = String(this.#inbox++);
          this.#inboxes.set(name, hear);
          return { prefix: `${name}|`, stop: () => void this.#inboxes.delete(name) };
        },
      },
    };
  }

  tellForeign(): void {
    this.#back(() => {
      for (const hear of this.#foreign) hear();
    });
  }

  break(forMs: number): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    this.#number += 1;
    this.#own.after(0, () => {
      for (const hear of this.#down) hear();
    });
    this.#stream.schedule.after(forMs, () => {
      this.#isUp = !this.#isClosed;
    });
  }

  async *#read(from: number): AsyncGenerator<StreamRecord, void> {
    for (let next = from; ; next++) {
      const record = await this.#asked(() => this.#stream.records[next - 1] ?? null);
      if (record === null) return;
      yield record;
    }
  }

  #asked<T>(ask: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#own.after(ANSWER_MS, () => reject(new NatsError('stream simulated: timeout')));
      this.#there(() => {
        const value = ask();
        this.#back(() => resolve(value));
      });
    });
  }

  /** Sends a message. A sent message is under way even if its process stops or ends. */
  #there(arrive: () => void): void {
    const { schedule } = this.#stream;
    this.#thereAt = Math.max(this.#thereAt + 1, schedule.now() + delayMs(schedule));
    this.#unlessBroken(schedule, this.#thereAt, arrive);
  }

  #back(hear: () => void): void {
    const { schedule } = this.#stream;
    this.#backAt = Math.max(this.#backAt + 1, schedule.now() + delayMs(schedule));
    this.#unlessBroken(this.#own, this.#backAt, hear);
  }

  #unlessBroken(schedule: Schedule, at: number, task: () => void): void {
    if (!this.#isUp) return;
    const number = this.#number;
    schedule.after(at - schedule.now(), () => {
      if (number === this.#number) task();
    });
  }
}

function delayMs({ random }: Schedule): number {
  return random.chance(0.03) ? random.below(1_500) : random.below(4);
}

function added<T>(set: Set<T>, it: T): () => void {
  set.add(it);
  return () => set.delete(it);
}

// One life of the simulated gateway: all that concerns orders over one ledger, as in the engine's thread. A crash
// ends it between two happenings: nothing that it was about to do is done, and whoever waits for an answer has lost the connection.

import { createHash } from 'node:crypto';
import { NO_LIMITS } from '../../src/domain/actor-limits.ts';
import { actorTag } from '../../src/domain/actor-tag.ts';
import type { UnixMillis } from '../../src/domain/numbers.ts';
import type { OrderId } from '../../src/domain/order.ts';
import type { OrderRequest } from '../../src/domain/order-request.ts';
import { fail, ok } from '../../src/domain/result.ts';
import { type Answer, unavailable } from '../../src/orders/answers.ts';
import { type CancelAnswer, cancel, cancelDeadline } from '../../src/orders/cancel.ts';
import { CancelAfterWatch } from '../../src/orders/cancel-after.ts';
import type { Divergence } from '../../src/orders/divergence.ts';
import { Executions } from '../../src/orders/executions.ts';
import { Ledger } from '../../src/orders/ledger.ts';
import type { SubmitParts } from '../../src/orders/submission.ts';
import { submit } from '../../src/orders/submit.ts';
import { EndableTimers } from '../../src/runtime/timers.ts';
import type { Account, OrderEventRecord } from '../../src/store/order-records.ts';
import { MemoryLedger, type MemoryLog } from '../support/memory-ledger.ts';
import { Port, type Wire } from './port.ts';

export const POD = 'pod';
export const ACTORS = ['alice', 'bob'] as const;
const SECRET = Buffer.alloc(32, 7);
const OPEN_ORDERS_MAX = 6;

type Lost = 'lost';

interface GatewayParts {
  readonly wire: Wire;
  /** What the journal of its predecessors has. */
  readonly log: MemoryLog;
  readonly told: (event: OrderEventRecord) => void;
  readonly diverged: (kind: Divergence) => void;
  /** A dead man's switch has: its orders are to end. */
  readonly fired: (orderIds: readonly OrderId[]) => void;
  /** By what the ledger knew, before the venue had. */
  readonly answeredEarly: () => void;
}

interface Call {
  readonly actorId: string;
  readonly idempotencyKey: string;
  readonly request: OrderRequest;
  readonly notAfter: UnixMillis | null;
}

export class Gateway {
  readonly account: Account;
  readonly store: MemoryLedger;
  readonly #timers: EndableTimers;
  readonly #port: Port;
  readonly #parts: SubmitParts;
  readonly #executions: Executions;
  readonly #switches: CancelAfterWatch;
  readonly #random: Wire['schedule']['random'];
  readonly #callers = new Set<(lost: Lost) => void>();
  #isAlive = true;

  constructor({ wire, log, told, diverged, fired, answeredEarly }: GatewayParts) {
    this.account = { podId: POD, venue: wire.venue };
    this.#random = wire.schedule.random;
    const timers = new EndableTimers(wire.schedule);
    this.#timers = timers;
    this.#port = new Port(wire, () => this.#isAlive);
    log.synced = () => new Promise(resolve => timers.after(this.#random.below(4), resolve));
    const store = new MemoryLedger(log, 'power-safe');
    this.store = store;
    const ledger = new Ledger({ store, now: () => timers.now(), tell: events => events.forEach(told), diverged });
    this.#executions = new Executions({
      ledger,
      timers,
      accounts: [{ account: this.account, trading: this.#port }],
      actorOfTag: (_podId, tag) => ACTORS.find(actorId => actorTag(actorId) === tag) ?? null,
      actorsOf: () => ACTORS,
      announce: () => {},
    });
    this.#parts = {
      ledger,
      timers,
      tradingOf: () => (this.#executions.isRead(this.account) ? ok(this.#port) : fail(unavailable('not read yet'))),
      podSecretOf: () => SECRET,
      late: () => answeredEarly(),
    };
    this.#switches = new CancelAfterWatch({
      ledger,
      timers,
      fired: (_owner, orderIds) => {
        fired(orderIds);
        this.#executions.cancelNow(this.account, orderIds);
      },
    });
    timers.after(this.#random.below(10), () => {
      this.#executions.start();
      this.#switches.start();
    });
  }

  submit(call: Call): Promise<Answer | Lost> {
    const bodySha256Hex = createHash('sha256').update(JSON.stringify(call.request)).digest('hex');
    const limits = call.actorId === 'bob' ? { ...NO_LIMITS, openOrdersMax: OPEN_ORDERS_MAX } : NO_LIMITS;
    const keyId = keyOf(call.actorId);
    const claim = () => true;
    const submission = { podId: POD, keyId, bodySha256Hex, isTradable: true, limits, claim, passed: () => {}, ...call };
    return this.#answered(() => submit(this.#parts, submission));
  }

  cancel(orderId: OrderId): Promise<CancelAnswer | 'unknown-order' | Lost> {
    return this.#answered(async () => {
      const stored = this.store.order(orderId);
      const deadline = cancelDeadline(this.#parts);
      return stored === null ? 'unknown-order' : cancel(this.#parts, this.#port, stored, deadline);
    });
  }

  /** 0: disarms it. */
  setCancelAfter(actorId: string, timeoutMs: number): void {
    this.#switches.set({ keyId: keyOf(actorId), actorId, podId: POD }, timeoutMs);
  }

  crash(): void {
    this.#isAlive = false;
    this.#switches.stop();
    this.#timers.end();
    void this.#port.close();
    for (const caller of this.#callers) caller('lost');
  }

  #answered<T>(work: () => Promise<T>): Promise<T | Lost> {
    return new Promise((resolve, reject) => {
      this.#callers.add(resolve);
      work().then(value => {
        this.#callers.delete(resolve);
        resolve(value);
      }, reject);
    });
  }
}

/** Everyone signs with one key. */
function keyOf(actorId: string): string {
  return `key of ${actorId}`;
}

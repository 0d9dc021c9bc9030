// The engine thread: the only writer of all state that an order changes. It holds the state in memory, appends each step to the journal,
// sends orders to the venues, and answers operations. Its entry is src/gateway/door/engine-worker.ts, which adds a door.

import { writeSync } from 'node:fs';
import { type CatalogSnapshot, isSubmission, type OperationReply } from '../../core/domain/operation.ts';
import type { OrderId } from '../../core/domain/order.ts';
import { unreachable } from '../../core/domain/result.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { watchEventLoop } from '../../core/metrics/process-figures.ts';
import { createLog, type Log } from '../../core/runtime/log.ts';
import { endByForce } from '../../core/runtime/process-life.ts';
import { keepPulse } from '../../core/runtime/pulse.ts';
import { guardHeap, ownThreadId } from '../../core/runtime/thread-state.ts';
import { spin } from '../../core/runtime/timers.ts';
import { type KeyStore, KeysAge, openKeyStore } from '../../core/store/key-store.ts';
import type { ActorEventRecord } from '../../core/store/order-records.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import type { EventOf } from '../life/exposure.ts';
import type { OperationHooks } from '../life/operation-in-flight.ts';
import type { Begun } from '../life/submission.ts';
import { Claims } from './claims.ts';
import { Engine } from './engine.ts';
import { EngineDisk } from './engine-disk.ts';
import type { EngineFront, OpenDoor } from './engine-door.ts';
import {
  type EngineData,
  type EngineTask,
  type FromEngine,
  type NumberedOperation,
  newsOf,
  openOrderOf,
} from './engine-messages.ts';
import type { HaltChange } from './halt-change.ts';
import { Standby } from './standby.ts';
import { Outgoing, readToEngine, type Turn, writeFromEngine } from './turn-messages.ts';
import { TurnWaits } from './turn-waits.ts';

guardHeap();
keepPulse(limits.engineBeatMs);

/**
 * Runs the engine as one long task of a piscina pool. A rehearsal may run before the real engine. Resolves when the engine has closed, or
 * could not open.
 */
export async function serveEngine({ data, port }: EngineTask, openDoor: OpenDoor, links: Links): Promise<void> {
  const claims = new Claims(data.claims);
  const waits = new TurnWaits(data.waits);
  const outgoing = new Outgoing(writeFromEngine, turn => port.postMessage(turn));
  /** The actors whose events main needs as a whole. */
  const followed = new Set<string>();
  const metrics = new Metrics(data.metrics);
  const closed = Promise.withResolvers<void>();
  const eventOf: EventOf = links.of.bind(links);
  const serving = await openServing(data, metrics, { outgoing, followed, eventOf, failed: closed.reject });
  if (serving === null) return;
  const line = { claims, outgoing, failed: closed.reject };
  port.on('message', (turn: Turn) => {
    readToEngine(turn, message => {
      switch (message.type) {
        case 'operate':
          if (mayBegin(claims, message)) serving.now.operate(message, new MainHooks(line, message.number));
          break;
        case 'in-use':
          serving.now
            .inUse()
            .then(inUse => outgoing.send({ type: 'in-use', number: message.number, inUse }), closed.reject);
          break;
        case 'follow':
          if (message.isFollowed) followed.add(message.actorId);
          else followed.delete(message.actorId);
          break;
        case 'cancelled-by-guard':
          serving.now.cancelledByGuard(message);
          break;
        case 'door':
          openDoor(frontOf(serving, { data, metrics, outgoing, failed: closed.reject }), message.data, message.port);
          break;
        case 'catalog':
          links.update(message.snapshot).catch(closed.reject);
          break;
        case 'close':
          serving.now.close().then(closed.resolve, closed.reject);
          break;
        default:
          unreachable(message);
      }
    });
    waits.countHandled();
  });
  outgoing.send({ type: 'open', thread: ownThreadId() });
  const stopWatch = watchEventLoop(metrics, 'engine');
  const rest = data.spins ? spin() : () => {};
  try {
    await closed.promise;
  } finally {
    stopWatch();
    rest();
    port.close();
  }
}

/** Answers which markets are about one event, by the latest catalog. */
interface Links {
  readonly of: EventOf;
  update(snapshot: CatalogSnapshot | null): Promise<void>;
}

interface FrontParts {
  readonly data: EngineData;
  readonly metrics: Metrics;
  readonly outgoing: Outgoing<FromEngine>;
  /** Called when the engine has failed. */
  readonly failed: (error: unknown) => void;
}

function frontOf(serving: Serving, { data, metrics, outgoing, failed }: FrontParts): EngineFront {
  return {
    keys: serving.keys,
    pods: data.pods,
    metrics,
    log: createLog('door', { level: data.logLevel }),
    isTradable: (podId, venue) => serving.now.isTradable({ podId, venue }),
    venueBudgets: podId => serving.now.venueBudgets(podId),
    ownerUrl: () => serving.now.ownerUrl,
    isBehind: (podId, venue) => serving.now.isBehind({ podId, venue }),
    operate: (asked, recorded = () => {}) =>
      new Promise(replied => {
        // An operation that this thread has taken is never given up, because no other thread could answer it. So a claim always succeeds.
        const begun = (orders: readonly Begun[]): void => postBegun(outgoing, orders);
        serving.now.operate(asked, { claim: () => true, begun, recorded, replied, failed });
      }),
  };
}

interface Line {
  readonly claims: Claims;
  readonly outgoing: Outgoing<FromEngine>;
  /** Called when the engine has failed. */
  readonly failed: (error: unknown) => void;
}

/** The hooks of an operation of main, which waits for the reply. */
class MainHooks implements OperationHooks {
  readonly #line: Line;
  readonly #number: number;

  constructor(line: Line, number: number) {
    this.#line = line;
    this.#number = number;
  }

  claim(): boolean {
    return this.#line.claims.take(this.#number);
  }

  /**
   * Tells main the orders that have a venue's id already. Main knows the other orders by their operation, and finds them at the venue by
   * their ids.
   */
  begun(orders: readonly Begun[]): void {
    if (orders.some(isNamed)) postBegun(this.#line.outgoing, orders.filter(isNamed));
  }

  recorded(orderId: OrderId): void {
    this.#line.outgoing.send({ type: 'recorded', number: this.#number, orderId });
  }

  replied(reply: OperationReply): void {
    this.#line.outgoing.send({ type: 'reply', number: this.#number, reply });
  }

  failed(error: unknown): void {
    this.#line.failed(error);
  }
}

function isNamed({ intent }: Begun): boolean {
  return intent.venueOrderId !== null;
}

/** Tells main orders that are about to be sent. The guard cancels them if this thread stops before the venue has answered. */
function postBegun(outgoing: Outgoing<FromEngine>, begun: readonly Begun[]): void {
  const orders = begun.map(({ order, intent }) => openOrderOf(order, intent.venueOrderId));
  outgoing.send({ type: 'open-orders', orders });
}

/**
 * Whether the operation may begin: false means that main has given it up. A submission is claimed later, before it is sent; nothing has
 * left until then.
 */
function mayBegin(claims: Claims, { operation, number }: NumberedOperation): boolean {
  const isOurs = isSubmission(operation) ? claims.isOffered(number) : claims.take(number);
  // A stop begins in any case: the guard has made its cancels, but cannot keep new orders away.
  return isOurs || operation.name === 'stop';
}

/** The receiver of operations: the engine, or a standby until this gateway owns the pod. */
interface Serving {
  readonly keys: KeyStore;
  now: Engine | Standby;
}

interface OpeningParts extends Pick<FrontParts, 'outgoing' | 'failed'> {
  readonly followed: ReadonlySet<string>;
  readonly eventOf: EventOf;
}

/** Opens the disk, the keys, and the engine or a standby. Returns null if journal, history, keys or the pod's stream cannot be used. */
async function openServing(
  data: EngineData,
  metrics: Metrics,
  { outgoing, followed, eventOf, failed }: OpeningParts,
): Promise<Serving | null> {
  const log = createLog('engine', { level: data.logLevel });
  try {
    const disk = await EngineDisk.open(data, words => endOwnership(words, data.logLevel));
    const keys = openKeyStore(data.keysFolder, limits, data.keysAge === null ? null : new KeysAge(data.keysAge));
    const parts = {
      log,
      metrics,
      keys,
      eventOf,
      post: (message: FromEngine) => outgoing.send(message),
      onEvents: (events: readonly ActorEventRecord[]) =>
        outgoing.sendBehind({ type: 'events', news: events.map(it => newsOf(it, followed.has(it.actorId))) }),
      onHalt: (change: HaltChange) => outgoing.sendBehind({ type: 'halt', change }),
    };
    const { otherOwner } = disk;
    if (otherOwner === null) return { keys, now: await Engine.open(data, disk, parts) };
    const standby = new Standby({ ...parts, disk }, otherOwner);
    const serving: Serving = { keys, now: standby };
    const begin = async (): Promise<void> => {
      if (!(await standby.followed)) return;
      serving.now = await Engine.open(data, disk, parts);
      log.info('this gateway owns the pod');
      outgoing.send({ type: 'owner', url: null });
    };
    begin().catch(failed);
    return serving;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    outgoing.send({ type: 'unusable', message: error.message });
    return null;
  }
}

const STANDARD_ERROR = 2;

/** Ends the process at once, before it sends anything else. Another gateway now trades for the pod that this memory describes. */
function endOwnership(words: string, level: Log['level']): void {
  // The lines are written to the descriptor directly. A worker's standard error passes through the main thread, which does not run before
  // the process ends.
  const log = createLog('engine', { level, write: text => void writeSync(STANDARD_ERROR, text) });
  log.warn('ownership of the pod has ended: the process ends', { error: words });
  try {
    writeSync(STANDARD_ERROR, `crossbook: ${words}\n`);
    log.flush();
  } finally {
    endByForce(log);
  }
}

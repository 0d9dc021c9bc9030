// The door on the engine's own thread (ADR 0023): /v1/trade and the REST paths of orders, so that an order does not change threads.
// Everything slow stays at main's door. Engine thread.

import type { MessagePort } from 'node:worker_threads';
import type { TlsFiles } from '../../config.ts';
import { isSubmission } from '../../core/domain/operation.ts';
import { whenKnown } from '../../core/domain/soon.ts';
import { SharedFigures } from '../../core/metrics/shared-figures.ts';
import { ListenError, type Listener, listen } from '../../core/net/listen.ts';
import { monotonicUs } from '../../core/runtime/clock.ts';
import { unavailableReply } from '../../core/wire/replies.ts';
import { limits } from '../../limits.ts';
import type { DoorData, EngineFront } from '../../orders/engine/engine-door.ts';
import type { AwaitedOperation } from '../../orders/engine/engine-link.ts';
import { OrderIds } from '../../orders/life/order-ids.ts';
import { time } from '../api/identity.ts';
import { DOOR_OPERATIONS } from '../api/operations.ts';
import { OrderEntry } from '../api/order-entry.ts';
import { BUCKETS } from '../api/rate-limits.ts';
import type { ApiServer } from '../api/serve.ts';
import { SharedRates } from '../api/shared-rates.ts';
import { TradeClients } from '../trade/trade-clients.ts';
import { Operations, routedTo } from '../trading/operations.ts';
import { DoorChecks } from './door-checks.ts';
import { DOOR_FIGURES, type FromDoor, type ToDoor } from './door-messages.ts';

const LATE = 'the engine did not answer for a while, and this request may have waited: nothing was sent by it';
/** The interval between two writes of the figures. */
const FIGURES_MS = 1_000;

/** Resolves once the door is open, or once main knows why it is not open. Rejects if the key store cannot be read. */
export async function openTradeDoor(front: EngineFront, data: DoorData, port: MessagePort): Promise<void> {
  const say = (message: FromDoor): void => port.postMessage(message);
  const door = new TradeDoor(front, data, say);
  try {
    await door.listen();
    // A thread that ends while native sockets are open aborts the process, and nobody learns why the thread ended.
    process.once('exit', door.drop);
    port.on('message', (message: ToDoor) => {
      if (message.type === 'checked') door.checks.settle(message.number, message.outcome);
      else if (message.type === 'renewTls') say({ type: 'renewed', refusal: door.renewTls(message.files) });
      else void door.close().then(() => port.close());
    });
  } catch (error) {
    door.entry.close();
    if (!(error instanceof ListenError)) throw error;
    say({ type: 'refused', of: error.of, message: error.message });
    port.close();
  }
}

class TradeDoor {
  readonly checks: DoorChecks;
  readonly entry: OrderEntry;
  readonly #data: DoorData;
  readonly #sendToMain: (message: FromDoor) => void;
  readonly #traders: TradeClients;
  readonly #server: ApiServer;
  readonly #figures: SharedFigures<(typeof DOOR_FIGURES)[number]>;
  readonly #requests = new LateRequests(monotonicUs);
  readonly #timers: NodeJS.Timeout[] = [];
  #listener: Listener | null = null;
  #isDraining = false;

  constructor(front: EngineFront, data: DoorData, say: (message: FromDoor) => void) {
    const { metrics, log, keys, pods, isTradable } = front;
    this.#data = data;
    this.#sendToMain = say;
    this.#figures = new SharedFigures(DOOR_FIGURES, data.figures);
    this.checks = new DoorChecks({ checksOnThisThread: data.checksHere, ask: say, metrics });
    const rates = new SharedRates(BUCKETS, data.rates);
    const operations = new Operations({
      checks: this.checks,
      perform: routedTo({
        engine: { operate: awaited => this.#operate(front, awaited) },
        history: { operate: refuseList },
        checks: { list: refuseList },
        isBehind: front.isBehind,
      }),
      metrics,
    });
    this.entry = new OrderEntry({
      store: keys,
      checks: this.checks,
      operations,
      metrics,
      profile: data.rateProfile,
      corsOrigins: [],
      rates,
      log,
      orderIds: new OrderIds(pods),
      isTradable,
      venueBudgets: front.venueBudgets,
      otherOwner: front.ownerUrl,
      isDraining: () => this.#isDraining,
      queues: null,
      onKeysChanged: refusalOf => this.#traders.closeRefused(refusalOf),
    });
    this.#server = this.entry.serve(
      { catalog: null, queued: null },
      {
        orders: this.entry.handlers,
        signed: { getTime: time },
        catalog: {},
        older: {},
        open: {},
      },
    );
    this.#traders = new TradeClients({
      admit: this.entry.tradeAdmitter(null),
      seal: (request, reply) => this.#server.refusedUpgrade('openTrade', request, reply),
      stamps: () => this.#server.streamStamps(),
      rates: key => this.entry.admission.upgradeRates(key),
      desk: this.entry.desk,
      sessions: rates.sessions,
      disconnects: {
        arm: ({ keyId, podId, actorId }) => say({ type: 'arm', key: { keyId, podId, actorId } }),
        disarm: ({ keyId, podId, actorId }) => say({ type: 'disarm', key: { keyId, podId, actorId } }),
        lose: ({ keyId, podId, actorId }) => say({ type: 'lose', key: { keyId, podId, actorId } }),
      },
    });
  }

  /** Opens the door's addresses. Rejects with a ListenError. */
  async listen(): Promise<void> {
    const { address, unixSocketPath, tls, connectionsMax } = this.#data;
    const listener = await listen({
      host: address?.host ?? '',
      port: address?.port ?? null,
      connectionsMax,
      ...(unixSocketPath === null ? {} : { unixSocketPath }),
      ...(tls === null ? {} : { tls }),
      sockets: [this.#traders.route],
      http: DOOR_OPERATIONS.map(operation => this.#server.route(operation)),
      refuse: this.#server.refusals,
    });
    this.#listener = listener;
    const write = (): void => {
      this.#figures.set('connections', listener.connections);
      this.#figures.set('connectionsRefused', listener.connectionsRefused);
      this.#figures.set('requestsInFlight', listener.requestsInFlight);
      this.#figures.set('sessions', this.#traders.count);
    };
    this.#timers.push(
      setInterval(write, FIGURES_MS),
      setInterval(() => this.#requests.beat(), limits.engineBeatMs),
    );
    this.#sendToMain({ type: 'open', port: listener.port });
  }

  /** Makes later connections get the new certificate. Returns null, or the reason why the former certificate stays in use. */
  renewTls(files: TlsFiles): string | null {
    try {
      this.#listener?.renewTls(files);
      return null;
    } catch (error) {
      if (error instanceof ListenError) return error.message;
      throw error;
    }
  }

  /** Closes the door after its requests in flight are answered. */
  async close(): Promise<void> {
    this.#isDraining = true;
    await Promise.all([this.#listener?.drain(), this.#traders.drain()]);
    for (const timer of this.#timers) clearInterval(timer);
    this.entry.close();
    process.off('exit', this.drop);
    this.drop();
    this.#sendToMain({ type: 'closed' });
  }

  /** Drops every connection at once. */
  readonly drop = (): void => {
    this.#listener?.close();
  };

  #operate(front: EngineFront, awaited: AwaitedOperation): void {
    const isLate = isSubmission(awaited.operation) && this.#requests.mayBeLate;
    if (isLate) awaited.done(unavailableReply(LATE));
    else
      whenKnown(
        front.operate(awaited, orderId => awaited.recorded(orderId)),
        reply => awaited.done(reply),
        error => awaited.failed(error),
      );
  }
}

function refuseList(): never {
  throw new Error('this door has no lists');
}

const US_PER_MS = 1_000;
const BEAT_US = limits.engineBeatMs * US_PER_MS;
const SILENCE_US = limits.venueAnswerTimeoutMs * US_PER_MS;

/**
 * Tells whether a request that the door reads now may be too old. The engine's thread may have stood still for longer than an order waits
 * for its venue, for example while the disk hung. For main's door, the guard answers while the engine is silent. No thread answers for this
 * door, so the door sends no order that may have waited.
 */
export class LateRequests {
  readonly #nowUs: () => number;
  #beatAtUs: number;
  /** The time until which requests may be read that have waited while the thread stood still. */
  #lateUntilUs = Number.NEGATIVE_INFINITY;

  /** `nowUs` returns monotonic microseconds. */
  constructor(nowUs: () => number) {
    this.#nowUs = nowUs;
    this.#beatAtUs = nowUs();
  }

  /** Must be called every `engineBeatMs`. A late call shows that the thread stood still. */
  beat(): void {
    const nowUs = this.#nowUs();
    if (nowUs - this.#beatAtUs > SILENCE_US) this.#lateUntilUs = nowUs + BEAT_US;
    this.#beatAtUs = nowUs;
  }

  get mayBeLate(): boolean {
    const nowUs = this.#nowUs();
    return nowUs < this.#lateUntilUs || nowUs - this.#beatAtUs > SILENCE_US;
  }
}

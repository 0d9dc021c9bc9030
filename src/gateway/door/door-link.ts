// Main's end of the door on the engine's thread. It opens and closes the door, passes the door's signature checks to the pool, and counts
// the door's cancelOnDisconnect together with main's. Main thread.

import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { TlsFiles } from '../../config.ts';
import { unreachable } from '../../core/domain/result.ts';
import { whenHere } from '../../core/domain/soon.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import { SharedFigures } from '../../core/metrics/shared-figures.ts';
import { ListenError, type ListenFault } from '../../core/net/listen.ts';
import type { DoorData } from '../../orders/engine/engine-door.ts';
import type { EngineLink } from '../../orders/engine/engine-link.ts';
import type { Bucket } from '../api/rate-limits.ts';
import type { SharedRates } from '../api/shared-rates.ts';
import type { CheckPool } from '../checks/check-pool.ts';
import type { OrderDisconnects } from '../stream/order-disconnects.ts';
import { DOOR_FIGURES, type FromDoor, type ToDoor } from './door-messages.ts';

interface DoorLinkParts extends Omit<DoorData, 'rates' | 'figures'> {
  readonly engine: Pick<EngineLink, 'openDoor'>;
  readonly checks: Pick<CheckPool, 'verify'>;
  /** Null means that orders are not followed, so no disconnect cancels them. */
  readonly disconnects: OrderDisconnects | null;
  /** The rates of main's door, which this door shares. */
  readonly rates: SharedRates<Bucket>;
  readonly metrics: Metrics;
}

/** The names under which main reports addresses that cannot be bound, by main's settings. */
const FAULTS: Readonly<Partial<Record<ListenFault, ListenFault>>> = {
  address: 'tradeAddress',
  unixSocketPath: 'tradeSocketPath',
};

export class DoorLink {
  readonly #parts: DoorLinkParts;
  readonly #port: MessagePort;
  readonly #opened = Promise.withResolvers<number>();
  readonly #closed = Promise.withResolvers<void>();
  #renewed = Promise.withResolvers<void>();

  private constructor(parts: DoorLinkParts) {
    const { engine, rates, metrics, address, unixSocketPath, tls, connectionsMax, rateProfile, checksHere } = parts;
    this.#parts = parts;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message: FromDoor) => this.#handleMessage(message));
    const figures = new SharedFigures(DOOR_FIGURES);
    const where = { address, unixSocketPath, tls, connectionsMax };
    const shared = { rates: rates.memory, figures: figures.memory };
    engine.openDoor({ ...where, ...shared, rateProfile, checksHere }, port2);
    metrics.gauge('door_connections', () => figures.read('connections'));
    metrics.gauge('door_connections_refused_total', () => figures.read('connectionsRefused'));
    metrics.gauge('door_requests_in_flight', () => figures.read('requestsInFlight'));
    metrics.gauge('door_trade_connections', () => figures.read('sessions'));
  }

  /** Opens the door. Rejects with a ListenError. */
  static async open(parts: DoorLinkParts): Promise<DoorLink> {
    const link = new DoorLink(parts);
    await link.port;
    return link;
  }

  /** The TCP port. 0 means that the door has no TCP port. */
  get port(): Promise<number> {
    return this.#opened.promise;
  }

  /**
   * Makes later connections get this certificate. Rejects with the reason if the former certificate stays in use. Only one call may run at
   * a time.
   */
  renewTls(files: TlsFiles): Promise<void> {
    this.#renewed = Promise.withResolvers();
    this.#send({ type: 'renewTls', files });
    return this.#renewed.promise;
  }

  /** Closes the door. Resolves when its requests in flight are answered and its connections are closed. */
  async close(): Promise<void> {
    this.#send({ type: 'close' });
    await this.#closed.promise;
    this.#port.close();
  }

  #handleMessage(message: FromDoor): void {
    const { checks, disconnects } = this.#parts;
    switch (message.type) {
      case 'open':
        this.#opened.resolve(message.port);
        break;
      case 'refused':
        this.#port.close();
        this.#opened.reject(new ListenError(FAULTS[message.of] ?? message.of, 0, message.message));
        break;
      case 'renewed':
        if (message.refusal === null) this.#renewed.resolve();
        else this.#renewed.reject(new ListenError('tls', 0, message.refusal));
        break;
      case 'check': {
        const { number, check, lane, urgency } = message;
        // `checks.verify` never rejects.
        void whenHere(checks.verify(check, lane, urgency), outcome => this.#send({ type: 'checked', number, outcome }));
        break;
      }
      case 'arm':
      case 'disarm':
      case 'lose':
        disconnects?.[message.type](message.key);
        break;
      case 'closed':
        this.#closed.resolve();
        break;
      default:
        unreachable(message);
    }
  }

  #send(message: ToDoor): void {
    this.#port.postMessage(message);
  }
}

// The part of the API that both doors have: the admission of callers, and orders over REST and /v1/trade. Each door adds its own routes.
// The doors share state only through `rates` and the engine. Main thread, and the engine's (src/gateway/door).

import { randomBytes } from 'node:crypto';
import type { Tickets } from '../../core/auth/tickets.ts';
import type { SigningKey } from '../../core/domain/identity.ts';
import type { Venue } from '../../core/domain/market.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import type { Metrics } from '../../core/metrics/metrics.ts';
import type { InboundRequest, Reply } from '../../core/net/listen.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { KeyStore } from '../../core/store/key-store.ts';
import type { RateProfile } from '../../limits.ts';
import type { OrderIds } from '../../orders/life/order-ids.ts';
import type { CheckPool } from '../checks/check-pool.ts';
import type { KeyRefusalOf } from '../socket-clients.ts';
import { TradeDesk } from '../trade/trade-desk.ts';
import type { Operations } from '../trading/operations.ts';
import { otherOwnerRefusal, signedRefusal } from './api-refusals.ts';
import { CallerAdmission } from './caller-admission.ts';
import { Cors } from './cors.ts';
import { type RatesOf, ratesOf, type VenueBudgetsOf } from './identity.ts';
import { LiveKeys } from './live-keys.ts';
import type { Handlers, OrderHandler } from './operation.ts';
import { orderHandlers, performedBy } from './order-operations.ts';
import type { Queues } from './queue-operations.ts';
import type { Bucket } from './rate-limits.ts';
import type { Needs } from './reserved.ts';
import { ApiServer, type ServeParts } from './serve.ts';
import type { SharedRates } from './shared-rates.ts';
import { StreamAdmission } from './stream-admission.ts';

export interface OrderEntryParts {
  readonly store: KeyStore;
  readonly checks: Pick<CheckPool, 'verify'>;
  readonly operations: Pick<Operations, 'operate' | 'ask'>;
  readonly metrics: Metrics;
  readonly profile: RateProfile;
  /** The rates that both doors share. Null means that the gateway has only one door. */
  readonly rates: SharedRates<Bucket> | null;
  /** The origins of web pages that may call the API. */
  readonly corsOrigins: readonly string[];
  readonly log: Log;
  readonly orderIds: Pick<OrderIds, 'idFor'>;
  /** Whether orders can be placed at the venue now. */
  readonly isTradable: (podId: string, venue: Venue) => boolean;
  readonly venueBudgets: VenueBudgetsOf;
  /** The base URL of the gateway that owns the pod. Returns null if this gateway owns it. */
  readonly otherOwner: () => string | null;
  readonly isDraining: () => boolean;
  /** Null at the engine’s door, which shows no queues. */
  readonly queues: Queues | null;
  /** Is called when keys have changed. Connections of keys that may not be used any more must then end. */
  readonly onKeysChanged: (refusalOf: KeyRefusalOf) => void;
}

/** The requirements of an upgrade to /v1/trade. */
const TRADE: Needs = { scope: 'trade', bucket: 'reads' };
const RUN_NAME_BYTES = 4;

export class OrderEntry {
  readonly keys: LiveKeys;
  readonly admission: CallerAdmission;
  /** Performs the requests of /v1/trade. */
  readonly desk: TradeDesk;
  /** Reads what is left of each rate of a key, and of its venues' budgets. */
  readonly rates: RatesOf;
  /** The handlers of the REST paths of orders. */
  readonly handlers: Readonly<Record<string, OrderHandler>>;
  readonly #parts: OrderEntryParts;

  /** Throws if the key store cannot be read. */
  constructor(parts: OrderEntryParts) {
    const { store, log, checks, operations, metrics, profile } = parts;
    this.#parts = parts;
    this.keys = new LiveKeys(store, log, keyring => {
      const isRevoked = (keyId: string): boolean => (keyring.signingKey(keyId)?.revokedAt ?? null) !== null;
      this.admission.forgetKeys(isRevoked);
      parts.onKeysChanged((keyId, address) => {
        if (isRevoked(keyId)) return 'the signing key was revoked';
        const isAdmitted = keyring.signingKey(keyId)?.admits(address) ?? false;
        return isAdmitted ? null : `the signing key may not be used from ${address}`;
      });
    });
    this.admission = new CallerAdmission({ keys: this.keys, checks, operations, metrics, profile, rates: parts.rates });
    this.handlers = orderHandlers(parts);
    this.rates = ratesOf(this.admission, parts.venueBudgets);
    this.desk = new TradeDesk({ ...parts, admission: this.admission, rates: this.rates });
  }

  serve({ catalog, queued }: Pick<ServeParts, 'catalog' | 'queued'>, handlers: Handlers): ApiServer {
    const { admission } = this;
    const { operations, metrics, log, isDraining } = this.#parts;
    const cors = new Cors(this.#parts.corsOrigins);
    const nextRequestId = requestIds(randomBytes(RUN_NAME_BYTES).toString('hex'));
    const perform = performedBy(operations);
    const parts = { admission, perform, catalog, queued, metrics, log, nextRequestId, isDraining, cors };
    return new ApiServer(parts, handlers);
  }

  /**
   * Returns a function that decides on an upgrade, and returns the signing key or the refusal. If `tickets` is null, the door accepts no
   * tickets.
   */
  admitter(tickets: Tickets | null, needs: Needs): (request: InboundRequest) => Result<SigningKey, Reply> {
    const streams = new StreamAdmission(this.admission, tickets);
    return request => {
      const caller = streams.admit(request, needs);
      return caller.ok ? ok(caller.value) : fail(signedRefusal(caller.error));
    };
  }

  /**
   * Returns a function that decides on an upgrade to /v1/trade, which only the owner of the pod opens. If `tickets` is null, the door
   * accepts no tickets.
   */
  tradeAdmitter(tickets: Tickets | null): (request: InboundRequest) => Result<SigningKey, Reply> {
    const admit = this.admitter(tickets, TRADE);
    return request => {
      const caller = admit(request);
      const owner = this.#parts.otherOwner();
      return caller.ok && owner !== null
        ? fail(otherOwnerRefusal(owner, this.admission.upgradeRates(caller.value)))
        : caller;
    };
  }

  close(): void {
    this.keys.close();
  }
}

/**
 * Returns a function that makes the next `SVC-Request-Id`: a random prefix for this run, then a count. Such ids are unique across restarts,
 * cheap, and show the order within a run.
 */
function requestIds(randomHex: string): () => string {
  let count = 0;
  return () => `req_${randomHex}_${(++count).toString(36)}`;
}

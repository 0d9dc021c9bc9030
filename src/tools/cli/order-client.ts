// The requests of `crossbook order` and `crossbook orders`: the operations of both venues. An outcome is a value, or an error in words.

import type { JsonObject } from '../../core/domain/json.ts';
import { VENUES, type Venue } from '../../core/domain/market.ts';
import type { Result } from '../../core/domain/result.ts';
import { readOrderId } from '../../core/wire/order-requests.ts';
import type { ApiAnswer, ApiFailure } from '../client/api-failure.ts';
import type { CrossbookClient, OperationId } from '../client/crossbook-client.ts';
import { createNodeClient, nodeSigner } from '../client/node-client.ts';
import type { Arguments, CommandIo } from './command-io.ts';
import { addressOf, NOTHING_SENT, signingKeyOf } from './gateway-request.ts';

interface OrderRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: JsonObject;
  readonly idempotencyKey?: string | undefined;
  readonly notAfterMillis?: number | undefined;
}

type Kind = 'submit' | 'preview' | 'replace' | 'list' | 'get' | 'getByKey' | 'cancel' | 'cancelAll';
type Outcome = Result<ApiAnswer<JsonObject>, ApiFailure>;

const OPERATIONS: Readonly<Record<Venue, Readonly<Record<Kind, OperationId>>>> = {
  venue_a: operationsOf('VenueA'),
  venue_b: operationsOf('VenueB'),
};

function operationsOf<V extends 'VenueA' | 'VenueB'>(venue: V) {
  return {
    submit: `submit${venue}Order`,
    preview: `preview${venue}Order`,
    replace: `replace${venue}Order`,
    list: `list${venue}Orders`,
    get: `get${venue}Order`,
    getByKey: `get${venue}OrderByClientId`,
    cancel: `cancel${venue}Order`,
    cancelAll: `cancel${venue}Orders`,
  } as const;
}

interface FoundOrder {
  readonly venue: Venue;
  readonly orderId: string;
  readonly view: JsonObject;
}

/** The note for an answer in which a header is `false`, by the name of the header. */
export const NOTES = {
  'svc-current': 'this may lack what the venue has reported (SVC-Current): crossbook status says why\n',
  'svc-recorded': 'done at the venue and not recorded by the gateway (SVC-Recorded): crossbook status says why\n',
} as const;

export class OrderClient {
  readonly client: CrossbookClient;
  readonly #io: CommandIo;
  /** The notes that were printed. Each note is printed once. */
  readonly #printed = new Set<string>();

  constructor(args: Arguments, io: CommandIo) {
    this.#io = io;
    this.client = clientOf(args, io);
  }

  /** Sends a request. Throws an Error that says why there is no answer, and how to go on. */
  async ask(venue: Venue, kind: Kind, request: OrderRequest): Promise<JsonObject> {
    const outcome = await this.#call(venue, kind, request);
    if (outcome.ok) return outcome.value.value;
    throw new Error(failureWords(outcome.error, kind === 'submit' || kind === 'replace'));
  }

  /**
   * Finds an order by its id, or by the idempotency key of its submission. Neither of the two names the venue, so both venues are asked.
   */
  async find(name: string): Promise<FoundOrder> {
    const isId = readOrderId(name) !== null;
    const [kind, path] = isId
      ? (['get', { orderId: name }] as const)
      : (['getByKey', { clientOrderId: name }] as const);
    const outcomes = await Promise.all(
      VENUES.map(async venue => ({ venue, outcome: await this.#call(venue, kind, { path }) })),
    );
    for (const { venue, outcome } of outcomes) {
      if (outcome.ok) return { venue, orderId: String(outcome.value.value.orderId), view: outcome.value.value };
    }
    const failures = outcomes.flatMap(({ outcome }) => (outcome.ok ? [] : [outcome.error]));
    const worse = failures.find(it => it.kind !== 'refused' || it.code !== 'NOT_FOUND');
    throw new Error(worse === undefined ? `there is no order ${name}` : failureWords(worse));
  }

  async #call(venue: Venue, kind: Kind, request: OrderRequest): Promise<Outcome> {
    // The types of the contract are not used here, because the gateway checks the same facts.
    const call = this.client.call.bind(this.client) as (id: OperationId, request: object) => Promise<Outcome>;
    const outcome = await call(OPERATIONS[venue][kind], request);
    if (outcome.ok) this.#printWarnings(outcome.value);
    return outcome;
  }

  #printWarnings({ header }: ApiAnswer<JsonObject>): void {
    for (const [name, words] of Object.entries(NOTES)) {
      if (header(name) !== 'false' || this.#printed.has(name)) continue;
      this.#printed.add(name);
      this.#io.err(words);
    }
  }
}

export function clientOf(args: Arguments, io: CommandIo): CrossbookClient {
  return createNodeClient({ ...addressOf(args, io), signer: nodeSigner(signingKeyOf(args, io)) });
}

/**
 * Returns the answer. Throws an Error that says why there is none. `readBy` names the command that reads an outcome, for commands with an
 * idempotency key.
 */
export function answerOf<Value>(outcome: Result<ApiAnswer<Value>, ApiFailure>, readBy: string | null = null): Value {
  if (outcome.ok) return outcome.value.value;
  throw new Error(failureWords(outcome.error, readBy !== null, readBy ?? undefined));
}

/** Says why there is no answer, and how to go on. `isKeyed` is true if the command takes an idempotency key. */
export function failureWords(failure: ApiFailure, isKeyed = false, readBy = 'crossbook order get'): string {
  switch (failure.kind) {
    case 'refused':
      return `${failure.message} (${failure.reason ?? failure.code ?? failure.status})${oldOrder(failure)}`;
    case 'unknown-outcome': {
      const { message, orderId, idempotencyKey } = failure;
      const read = orderId === null ? '' : `; read it: ${readBy} ${orderId}`;
      const again = `; the same command with --idempotency-key ${idempotencyKey} shows the outcome, and does not repeat the request`;
      return `${message}: it may have taken effect${oldOrder(failure)}${read}${isKeyed ? again : ''}`;
    }
    case 'unreachable':
      return `${failure.message}; ${NOTHING_SENT}`;
    default:
      return failure.message;
  }
}

/** The state of the order that was to be replaced, in words. */
function oldOrder({ replaces }: Extract<ApiFailure, { kind: 'refused' | 'unknown-outcome' }>): string {
  return replaces === undefined ? '' : `; order ${replaces.orderId} is ${replaces.status}`;
}

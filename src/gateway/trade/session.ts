// One client of /v1/trade (beyond §4). Many orders and cancels can be in flight on one connection, and each is answered when its outcome is
// known. Only the upgrade is signed. The key is looked up again for each message. Main thread, and the engine’s (src/gateway/door).

import type { SigningKey } from '../../core/domain/identity.ts';
import { HTTP_BAD_REQUEST, HTTP_OK } from '../../core/net/http-status.ts';
import type { Connection } from '../../core/net/listen.ts';
import { monotonicUs } from '../../core/runtime/clock.ts';
import { TokenBucket } from '../../core/runtime/token-bucket.ts';
import type { TradeCodec, TradeMessage, TradeRequest } from '../../core/wire/trade-messages.ts';
import { limits, type RateLimit } from '../../limits.ts';
import type { Session } from '../socket-clients.ts';
import type { Performed, TradeDesk, TradeOperation } from './trade-desk.ts';

export interface TradeSessionParts {
  readonly codec: TradeCodec;
  /** The signing key of the connection. */
  readonly key: SigningKey;
  /** The address of the client. */
  readonly address: string;
  readonly desk: Pick<TradeDesk, 'perform'>;
  /** Null means that orders are not followed, so that no disconnect cancels them. */
  readonly disconnects: Disconnects | null;
}

/** Counts the connections with cancelOnDisconnect of each key, over all its connections. */
interface Disconnects {
  arm(key: SigningKey): void;
  disarm(key: SigningKey): void;
  lose(key: SigningKey): void;
}

const POLICY_VIOLATION = 1008;
const TOO_SLOW = 1013;
/**
 * The limit on messages that do not count against a rate of the key: pings, switches, unreadable messages, and messages beyond a rate or
 * `tradeInFlightMax`.
 */
const UNCOUNTED: RateLimit = { perS: limits.streamUncountedPerS, burstMax: limits.streamUncountedBurstMax };
/** The operations whose successful answer is one order. */
const OF_ONE_ORDER: readonly TradeOperation['op'][] = ['submit', 'replace', 'cancel', 'queue'];
const TOO_MANY = `too many requests without a result (tradeInFlightMax, ${limits.tradeInFlightMax}): nothing was done`;

export class TradeSession implements Session {
  readonly #parts: TradeSessionParts;
  readonly #connection: Connection<unknown>;
  readonly #uncounted = new TokenBucket(UNCOUNTED);
  #inFlight = 0;
  /** The functions that are called once no request is in flight. */
  readonly #waiting: (() => void)[] = [];
  /** The messages of one task of the event loop. They are written to the socket together at the end of the task. */
  #unsent: TradeMessage[] = [];
  #cancelsOnDisconnect = false;
  #isClosed = false;

  constructor(parts: TradeSessionParts, connection: Connection<unknown>) {
    this.#parts = parts;
    this.#connection = connection;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  receive(frame: Uint8Array): void {
    const startedAtUs = monotonicUs();
    const decoded = this.#parts.codec.decode(frame);
    if (!decoded.ok) this.#answer({ type: 'error', ...decoded.error });
    else if (decoded.value.op === 'ping') this.#answer({ type: 'pong', id: decoded.value.id });
    else if (decoded.value.op === 'cancel-on-disconnect') this.#switch(decoded.value);
    else if (this.#inFlight < limits.tradeInFlightMax) this.#begin(decoded.value, startedAtUs);
    else this.#answer({ type: 'error', id: decoded.value.id, code: 'TOO_MANY_IN_FLIGHT', message: TOO_MANY });
  }

  /** Resolves when the requests in flight have their results, and the results are sent. */
  async settled(): Promise<void> {
    if (this.#inFlight > 0) await new Promise<void>(resolve => this.#waiting.push(resolve));
    this.#flush();
  }

  disconnect(code: number, why: string): void {
    this.#flush();
    this.close();
    this.#connection.end(code, why);
  }

  /** Closes the session. Requests in flight go on. Their outcomes can be read back by their idempotency keys. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#cancelsOnDisconnect) this.#parts.disconnects?.lose(this.#parts.key);
  }

  #begin(request: TradeOperation, startedAtUs: number): void {
    const { desk, key, address } = this.#parts;
    this.#inFlight += 1;
    desk.perform({
      request,
      key,
      address,
      startedAtUs,
      accepted: orderId => this.#send({ type: 'accepted', id: request.id, orderId }),
      done: performed => this.#end(request, performed),
    });
  }

  #end({ id, op }: TradeOperation, { isAdmitted, reply }: Performed): void {
    const { status, body, headers } = reply;
    const isOrder = status < HTTP_BAD_REQUEST && OF_ONE_ORDER.includes(op);
    const result = { type: 'result', id, isOrder, status, body, headers } as const;
    if (isAdmitted) this.#send(result);
    else this.#answer(result);
    this.#inFlight -= 1;
    if (this.#inFlight === 0) for (const tell of this.#waiting.splice(0)) tell();
  }

  #switch({ id, enabled }: Extract<TradeRequest, { op: 'cancel-on-disconnect' }>): void {
    const { disconnects, key } = this.#parts;
    if (enabled !== this.#cancelsOnDisconnect) {
      this.#cancelsOnDisconnect = enabled;
      if (enabled) disconnects?.arm(key);
      else disconnects?.disarm(key);
    }
    this.#answer({ type: 'result', id, status: HTTP_OK, body: `{"enabled":${enabled}}`, isOrder: false, headers: [] });
  }

  /** Answers a message that does not count against a rate of the key. */
  #answer(message: TradeMessage): void {
    if (this.#uncounted.take(performance.now())) this.#send(message);
    else this.disconnect(POLICY_VIOLATION, 'too many messages (streamUncountedPerS)');
  }

  #send(message: TradeMessage): void {
    if (this.#unsent.push(message) === 1) process.nextTick(() => this.#flush());
  }

  #flush(): void {
    const messages = this.#unsent;
    this.#unsent = [];
    if (this.#isClosed || messages.length === 0) return;
    const { codec } = this.#parts;
    this.#connection.batch(() => {
      for (const message of messages) this.#connection.send(codec.encode(message), codec.isBinary);
    });
    if (this.#connection.bufferedBytes() > limits.streamCloseBytes) {
      this.disconnect(TOO_SLOW, 'more unsent bytes than streamCloseBytes');
    }
  }
}

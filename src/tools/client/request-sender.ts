// Sends one request to the gateway and gets its answer: signs, sends, and compares the clocks. crossbook-client.ts interprets requests and
// answers. Portable.

import { assert, fail, ok, type Result, unreachable } from '../../core/domain/result.ts';
import { HTTP_MISDIRECTED, HTTP_UNAUTHORIZED, HTTP_UNAVAILABLE } from '../../core/net/http-status.ts';
import { limits } from '../../limits.ts';
import { type RequestToSign, type ServerClock, type Signer, signRequest } from './signer.ts';

export interface WireRequest {
  /** The origin of another gateway, which owns the key's pod. Null means the transport's own gateway. */
  readonly owner: string | null;
  /** The method in upper case. */
  readonly method: string;
  /** The path and query as the URL standard writes them, because the signature covers them. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body. Empty if there is none. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** The bound on the time from connecting to the last byte of the answer, in milliseconds. */
  readonly timeoutMs: number;
}

export interface WireAnswer {
  readonly status: number;
  /** The value of a header by its lower-case name. Empty if the header is absent. */
  header(name: string): string;
  /** Null means that the text is longer than `clientAnswerBytesMax`. */
  readonly text: string | null;
}

/** Says that there was no answer, or an incomplete one. */
export interface NoAnswer {
  /** Whether the request certainly did not reach the gateway. */
  readonly isUnsent: boolean;
  readonly message: string;
}

/**
 * Sends one request, exactly once. The caller decides on repetitions. Never rejects. Does not follow redirects. Only `fetch` itself sends a
 * request again after a 421, which did nothing.
 */
export type Transport = (request: WireRequest) => Promise<Result<WireAnswer, NoAnswer>>;

/** `url` is the origin of the gateway. */
export function fetchTransport(url: string): Transport {
  const { origin } = new URL(url);
  return async ({ owner, method, target, headers, body, timeoutMs }) => {
    try {
      const response = await fetch((owner ?? origin) + target, {
        method,
        headers,
        body: body.length === 0 ? null : body,
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
        credentials: 'omit',
      });
      const text = await readText(response);
      return ok({ status: response.status, header: name => response.headers.get(name) ?? '', text });
    } catch (error) {
      return noAnswer(error, timeoutMs);
    }
  };
}

async function readText(response: Response): Promise<string | null> {
  if (response.body === null) return '';
  const [reader, decoder] = [response.body.getReader(), new TextDecoder()];
  let [text, bytes] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > limits.clientAnswerBytesMax) {
      await reader.cancel();
      return null;
    }
    text += decoder.decode(value, { stream: true });
  }
}

function noAnswer(error: unknown, timeoutMs: number): Result<never, NoAnswer> {
  if (fieldOf(error, 'name') === 'TimeoutError') {
    return fail({ isUnsent: false, message: `no answer within ${timeoutMs} ms` });
  }
  // Node's `fetch` only says "fetch failed". The cause says why. If several addresses failed, there are several causes.
  const cause = fieldOf(error, 'cause') ?? error;
  const causes = fieldOf(cause, 'errors') ?? [cause];
  const isUnsent = Array.isArray(causes) && causes.every(isConnectFailure);
  const words = [fieldOf(cause, 'message'), fieldOf(cause, 'code'), fieldOf(error, 'message')];
  return fail({ isUnsent, message: words.find(isText) ?? String(error) });
}

/** Whether no connection was made. Only Node reports that. In a browser any request may have been sent. */
function isConnectFailure(error: unknown): boolean {
  const syscall = fieldOf(error, 'syscall');
  return syscall === 'connect' || syscall === 'getaddrinfo' || fieldOf(error, 'code') === 'UND_ERR_CONNECT_TIMEOUT';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** How a request is authenticated: with the signing headers, with `x-api-key`, or not at all. */
export type Auth = 'signed' | 'apiKey' | 'open';

interface RequestSenderOptions {
  readonly transport: Transport;
  readonly signer: Signer | null;
  /** The API key for the older paths. */
  readonly apiKey: string | null;
  readonly clock: ServerClock;
  /** Whether our gateway has TLS. If so, a request goes to no other gateway without TLS. */
  readonly needsTls: boolean;
}

interface HttpRequest extends RequestToSign {
  readonly auth: Auth;
  readonly timeoutMs: number;
}

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const ORIGIN = /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;
/** How often one request is sent at most. Its pod may move to another gateway in the meantime, and an owner may be gone. */
const SENDS_MAX = 4;

export class RequestSender {
  readonly #options: RequestSenderOptions;
  /** The origin of the gateway that owns the key's pod. Null means the client's own gateway. */
  #owner: string | null = null;

  constructor(options: RequestSenderOptions) {
    assert(options.apiKey === null || VISIBLE_ASCII.test(options.apiKey), 'apiKey: visible ASCII');
    this.#options = options;
  }

  /**
   * Sends the request to the gateway that owns the pod. A gateway that does not own the pod does nothing, and names the owner. Later
   * requests go to the owner at once. If the owner cannot be reached, our own gateway gets the next request.
   */
  async send(request: HttpRequest): Promise<Result<WireAnswer, NoAnswer>> {
    for (let sends = 1; ; sends++) {
      const owner = this.#owner;
      const outcome = await this.#sendTo(request);
      if (sends === SENDS_MAX || !this.#hasMoved(owner, outcome)) return outcome;
    }
  }

  /** The origin of the gateway that owns the key's pod, as far as answers have named it. Null means the client's own gateway. */
  get owner(): string | null {
    return this.#owner;
  }

  /** Sends later requests to the gateway that was named as the owner. Returns false if they may not go there, or go there already. */
  follow(named: string): boolean {
    const owner = originOf(named, this.#options.needsTls);
    if (owner === null || owner === this.#owner) return false;
    this.#owner = owner;
    return true;
  }

  /** Whether another gateway is to be asked next. */
  #hasMoved(asked: string | null, outcome: Result<WireAnswer, NoAnswer>): boolean {
    if (!outcome.ok) {
      if (asked === null || !outcome.error.isUnsent) return false;
      this.#owner = null;
      return true;
    }
    const owner = namedOwner(outcome.value, this.#options.needsTls);
    if (owner === null || owner === asked) return false;
    this.#owner = owner;
    return true;
  }

  /** Signs and sends the request. If it was refused because our clock was outside the window, signs and sends it again. */
  async #sendTo(request: HttpRequest): Promise<Result<WireAnswer, NoAnswer>> {
    const first = await this.#attempt(request);
    return first.isClockRefusal ? (await this.#attempt(request)).outcome : first.outcome;
  }

  async #attempt(request: HttpRequest): Promise<Attempt> {
    const { clock, transport } = this.#options;
    const { method, target, body, timeoutMs } = request;
    const signedMs = clock.now();
    const headers = await this.#headers(request, signedMs);
    const sentMs = clock.ownNow();
    const outcome = await transport({ owner: this.#owner, method, target, headers, body, timeoutMs });
    const serverMs = outcome.ok ? serverTimeOf(outcome.value) : null;
    if (!outcome.ok || serverMs === null) return { outcome, isClockRefusal: false };
    clock.observe(sentMs, clock.ownNow(), serverMs);
    const isOutside = Math.abs(serverMs - wholeSeconds(signedMs)) > limits.signatureAgeS * 1_000;
    const isRefused = outcome.value.status === HTTP_UNAUTHORIZED && request.auth === 'signed';
    return { outcome, isClockRefusal: isRefused && isOutside };
  }

  async #headers(request: HttpRequest, nowMs: number): Promise<Credentials> {
    const content = request.body.length === 0 ? {} : { 'Content-Type': 'application/json' };
    return { ...(await this.#credentials(request, nowMs)), ...content };
  }

  #credentials(request: HttpRequest, nowMs: number): Promise<Credentials> | Credentials {
    const { signer, apiKey } = this.#options;
    switch (request.auth) {
      case 'signed':
        assert(signer !== null, `${request.target} needs a signer`);
        return signRequest(signer, request, nowMs);
      case 'apiKey':
        assert(apiKey !== null, `${request.target} needs an apiKey`);
        return { 'x-api-key': apiKey };
      case 'open':
        return {};
      default:
        return unreachable(request.auth);
    }
  }
}

/** The origin of the gateway that owns the pod, if the answer refers the caller to it. Returns null otherwise. */
export function namedOwner(
  { status, header }: Pick<WireAnswer, 'status' | 'header'>,
  needsTls: boolean,
): string | null {
  const isElsewhere = status === HTTP_MISDIRECTED || status === HTTP_UNAVAILABLE;
  return isElsewhere ? originOf(header('svc-pod-owner'), needsTls) : null;
}

/** The origin of the owner that a gateway names. Returns null if the caller may not go there. */
export function originOf(owner: string, needsTls: boolean): string | null {
  if (!ORIGIN.test(owner)) return null;
  return needsTls && !owner.startsWith('https:') ? null : owner;
}

type Credentials = Readonly<Record<string, string>>;

interface Attempt {
  readonly outcome: Result<WireAnswer, NoAnswer>;
  readonly isClockRefusal: boolean;
}

/** The timestamp that the signature states, in Unix milliseconds. */
function wholeSeconds(nowMs: number): number {
  return Math.floor(nowMs / 1_000) * 1_000;
}

function serverTimeOf(answer: WireAnswer): number | null {
  const text = answer.header('svc-server-time');
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

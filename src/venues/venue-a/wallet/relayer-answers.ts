// Reads answers of venue A's relayer (venue-a.md §15). The relayer publishes no list of its errors. Only the words below have a meaning
// here; other words are shown, but never interpreted. Pure.

import { decimalTextOf, isObject, parseJson, textOf } from '../../../core/domain/json.ts';
import { plainText } from '../../../core/domain/plain-text.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { countUnknown } from '../../../core/metrics/unknown-words.ts';
import {
  HTTP_BAD_REQUEST,
  HTTP_CONFLICT,
  HTTP_REQUEST_TIMEOUT,
  HTTP_SERVER_ERROR,
  HTTP_TOO_MANY,
  isSuccess,
} from '../../../core/net/http-status.ts';
import type { OutboundAnswer } from '../../../core/net/outbound.ts';
import { limits } from '../../../limits.ts';
import { retryAfterS } from '../../venue-json.ts';
import type { WalletSubmitOutcome, WalletTransactionState } from '../../wallet-port.ts';
import { venueIdOf } from '../../wire-values.ts';
import { type Address, readAddress } from '../address.ts';

/** A wallet's next nonce, and the address that the relayer states with it, which is the relayer's own for a proxy. */
export interface RelayerPlace {
  readonly nonce: bigint;
  readonly address: Address;
}

const NONCE = /^\d{1,77}$/;
const HASH = /^0x[0-9a-fA-F]{64}$/;

export function placeIn(body: unknown): Result<RelayerPlace, string> {
  const { address, nonce } = isObject(body) ? body : {};
  const [read, digits] = [readAddress(textOf(address)), decimalTextOf(nonce)];
  return read === null || !NONCE.test(digits)
    ? fail('relayer: an answer that names no nonce')
    : ok({ nonce: BigInt(digits), address: read });
}

const STATES: Readonly<Record<string, 'under-way' | 'confirmed' | 'failed'>> = {
  STATE_NEW: 'under-way',
  STATE_SUBMITTED: 'under-way',
  STATE_EXECUTED: 'under-way',
  STATE_MINED: 'under-way',
  STATE_CONFIRMED: 'confirmed',
  STATE_FAILED: 'failed',
  STATE_INVALID: 'failed',
};

/** Reads the state of a transaction. `asked` is the id of the transaction. */
export function transactionIn(body: unknown, asked: string): Result<WalletTransactionState, string> {
  if (!isObject(body) || venueIdOf(body.transaction_id) !== asked)
    return fail('relayer: an answer about another transaction');
  const word = textOf(body.state);
  const state = Object.hasOwn(STATES, word) ? STATES[word] : undefined;
  const transactionHash = hashIn(body.transaction_hash);
  if (state === undefined) {
    countUnknown('venue_a', 'relayer_state', body.state);
    return fail('relayer: a state that is not known');
  }
  if (state === 'under-way') return ok({ type: state, transactionHash });
  if (state === 'failed')
    return ok({ type: state, message: plainText(textOf(body.error_msg), limits.venueWordsMax) || word });
  return transactionHash === null
    ? fail('relayer: a confirmed transaction without a hash')
    : ok({ type: state, transactionHash });
}

/** Reads the hash of a transaction. Returns null if it has no hash yet. */
function hashIn(value: unknown): string | null {
  const text = textOf(value);
  return HASH.test(text) ? text.toLowerCase() : null;
}

/** The seconds to wait if the relayer states none: it limits requests by the minute. */
const RETRY_S = 5;

/** Returns the outcome of a request with bytes that use up `nonce`. */
export function submitOutcome(answer: OutboundAnswer, nonce: bigint): WalletSubmitOutcome {
  const { status, headers } = answer;
  const body = parseJson(answer.body);
  const message = wordsIn(body) || `HTTP ${status}`;
  if (isSuccess(status)) {
    const transactionId = venueIdOf(isObject(body) ? body.transactionID : undefined);
    if (!isObject(body) || transactionId === '')
      return { type: 'unknown', message: 'an answer that names no transaction' };
    return { type: 'accepted', transactionId, transactionHash: hashIn(body.transactionHash) };
  }
  const wait = retryAfterS(headers, RETRY_S, limits.venueARetryAfterLongestS);
  if (status === HTTP_TOO_MANY) return { type: 'not-now', message, retryAfterS: wait };
  const isRefusal = status >= HTTP_BAD_REQUEST && status < HTTP_SERVER_ERROR && !UNCLEAR_STATUSES.includes(status);
  if (!isRefusal) return { type: 'unknown', message };
  if (status !== HTTP_BAD_REQUEST) return { type: 'refused', message };
  if (BUSY.test(message)) return { type: 'not-now', message, retryAfterS: wait };
  return mismatchOf(message, nonce) ?? { type: 'refused', message };
}

/**
 * Statuses that leave the outcome open: a timeout says nothing about the request, and a conflict may be with these very bytes, sent before.
 */
const UNCLEAR_STATUSES: readonly number[] = [HTTP_REQUEST_TIMEOUT, HTTP_CONFLICT];
const BUSY = /wallet busy\b.*\bactive action|wallet has in-flight action/i;
const MISMATCH = /batch nonce (\d{1,77}) does not match on-chain nonce (\d{1,77})/i;

/** Returns the outcome by words about a nonce that does not match, or null for other words. */
function mismatchOf(message: string, nonce: bigint): WalletSubmitOutcome | null {
  const match = MISMATCH.exec(message);
  if (match === null) return null;
  const [sent, onChain] = [BigInt(match[1]!), BigInt(match[2]!)];
  // Words about another nonce than ours, or about two equal nonces, say nothing about these bytes.
  if (sent !== nonce || sent === onChain) return { type: 'unknown', message };
  return sent < onChain ? { type: 'nonce-used', message, onChain } : { type: 'refused', message };
}

function wordsIn(body: unknown): string {
  const said = isObject(body) ? textOf(body.error) || textOf(body.message) || textOf(body.error_msg) : textOf(body);
  return plainText(said, limits.venueWordsMax);
}

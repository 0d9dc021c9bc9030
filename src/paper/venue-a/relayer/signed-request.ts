// The body of POST /submit at venue A's relayer (venue-a.md §15). It is a transaction of a deposit wallet, a Safe or a proxy, with one call. Its
// signature must be the owner's. Pure.

import { isObject, type JsonObject, objectsOf, textOf } from '../../../core/domain/json.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { type Address, readAddress, readHex } from '../../../venues/venue-a/address.ts';
import { recoverAddress, SIGNATURE_BYTES } from '../../../venues/venue-a/secp256k1.ts';
import type { WalletCall } from '../../../venues/venue-a/wallet/wallet-calls.ts';
import {
  batchDigest,
  DEPOSIT_WALLET_FACTORY,
  PROXY_FACTORY,
  proxyData,
  proxyDigest,
  RELAY_HUB,
  SAFE_PERSONAL,
  safeDigest,
  type WalletKind,
} from '../../../venues/venue-a/wallet/wallet-transactions.ts';

export interface SignedRequest {
  readonly kind: WalletKind;
  readonly owner: Address;
  readonly wallet: Address;
  readonly nonce: number;
  /** Unix seconds; null: it has none. */
  readonly deadlineS: number | null;
  readonly call: WalletCall;
}

/** Who has signed `digest`, and what of the request depends on the kind of wallet. */
interface Claim {
  readonly wallet: Address;
  readonly deadlineS: number | null;
  readonly call: WalletCall;
  readonly digest: Uint8Array;
}

type Common = Pick<SignedRequest, 'owner' | 'nonce'> & { readonly to: Address };

const DATA_BYTES_MAX = 4_096;
/** The relayer's own address. */
export const RELAY = readAddress('0xae700edfd9ab986395f3999fe11177b9903a52f1')!;

/** Refuses in words of the simulator: the venue's are not known. */
export function readSigned(body: unknown): Result<SignedRequest, string> {
  if (!isObject(body)) return fail('invalid body');
  const [owner, to] = [readAddress(textOf(body.from)), readAddress(textOf(body.to))];
  const nonce = wholeOf(body.nonce);
  if (owner === null || to === null || nonce === null) return fail('invalid from, to or nonce');
  const kind = textOf(body.type);
  if (kind !== 'WALLET' && kind !== 'SAFE' && kind !== 'PROXY') return fail('invalid type');
  const claim = CLAIMS[kind](body, { owner, to, nonce });
  if (claim === null) return fail(`invalid ${kind} transaction`);
  const { digest, ...rest } = claim;
  const signature = signatureOf(body, kind);
  if (signature === null || recoverAddress(digest, signature) !== owner) return fail('invalid signature');
  return ok({ kind, owner, nonce, ...rest });
}

const CLAIMS: Readonly<Record<WalletKind, (body: JsonObject, common: Common) => Claim | null>> = {
  WALLET: batchIn,
  SAFE: safeIn,
  PROXY: proxyIn,
};

function batchIn({ depositWalletParams }: JsonObject, { to, nonce }: Common): Claim | null {
  const batch = isObject(depositWalletParams) ? depositWalletParams : {};
  const [wallet, deadlineS] = [readAddress(textOf(batch.depositWallet)), wholeOf(batch.deadline)];
  const [first, ...others] = objectsOf(batch.calls);
  const call = first?.value === '0' && others.length === 0 ? callOf(first.target, first.data) : null;
  if (to !== DEPOSIT_WALLET_FACTORY || wallet === null || deadlineS === null || call === null) return null;
  return { wallet, deadlineS, call, digest: batchDigest(wallet, call, { nonce: BigInt(nonce), deadlineS }) };
}

const ZERO = { gasPrice: '0', operation: '0', safeTxnGas: '0', baseGas: '0' };

/** A delegated call, such as several calls at once, is beyond the simulator. */
function safeIn({ proxyWallet, to, data, signatureParams }: JsonObject, { nonce }: Common): Claim | null {
  const [wallet, call] = [readAddress(textOf(proxyWallet)), callOf(to, data)];
  const parameters = isObject(signatureParams) ? signatureParams : {};
  const isPlain = Object.entries(ZERO).every(([name, value]) => parameters[name] === value);
  if (wallet === null || call === null || !isPlain) return null;
  return { wallet, deadlineS: null, call, digest: safeDigest(wallet, call, BigInt(nonce)) };
}

function proxyIn({ proxyWallet, data, signatureParams }: JsonObject, { owner, to, nonce }: Common): Claim | null {
  const [wallet, bytes] = [readAddress(textOf(proxyWallet)), readHex(textOf(data), DATA_BYTES_MAX)];
  const parameters = isObject(signatureParams) ? signatureParams : {};
  const gas = wholeOf(parameters.gasLimit);
  const isRelayed =
    readAddress(textOf(parameters.relayHub)) === RELAY_HUB &&
    readAddress(textOf(parameters.relay)) === RELAY &&
    parameters.relayerFee === '0' &&
    parameters.gasPrice === '0';
  const call = bytes === null ? null : callInProxyData(bytes);
  if (to !== PROXY_FACTORY || wallet === null || bytes === null || gas === null || !isRelayed || call === null)
    return null;
  const request = { owner, data: bytes, gas: BigInt(gas), nonce: BigInt(nonce), relay: RELAY };
  return { wallet, deadlineS: null, call, digest: proxyDigest(request) };
}

/** Places in `proxyData`: the selector and words before the target, before the data's length, and before the data. */
const [TARGET_AT, LENGTH_AT, CALL_AT] = [4 + 4 * 32, 4 + 7 * 32, 4 + 8 * 32];

/** Null unless the bytes are those of one call. */
function callInProxyData(bytes: Uint8Array): WalletCall | null {
  if (bytes.length < CALL_AT) return null;
  const hex = (start: number, end: number) => `0x${Buffer.from(bytes.subarray(start, end)).toString('hex')}`;
  const length = Number(BigInt(hex(LENGTH_AT, CALL_AT)));
  const call = callOf(hex(TARGET_AT + 12, TARGET_AT + 32), hex(CALL_AT, CALL_AT + Math.min(length, bytes.length)));
  return call !== null && Buffer.from(proxyData(call)).equals(bytes) ? call : null;
}

function callOf(to: unknown, data: unknown): WalletCall | null {
  const [target, bytes] = [readAddress(textOf(to)), readHex(textOf(data), DATA_BYTES_MAX)];
  return target === null || bytes === null ? null : { target, data: bytes };
}

/** A Safe has a v of its own. */
function signatureOf({ signature }: JsonObject, kind: WalletKind): Uint8Array | null {
  const bytes = readHex(textOf(signature), SIGNATURE_BYTES);
  if (bytes?.length !== SIGNATURE_BYTES) return null;
  const own = Uint8Array.from(bytes);
  if (kind === 'SAFE') own[SIGNATURE_BYTES - 1]! -= SAFE_PERSONAL;
  return own;
}

/** Numbers are texts there. */
function wholeOf(value: unknown): number | null {
  const text = textOf(value);
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

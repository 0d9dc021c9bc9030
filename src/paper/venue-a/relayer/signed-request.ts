// Reads the body of POST /submit at venue A's relayer (venue-a.md §15). It is a transaction of a deposit wallet, a Safe or a proxy, with
// one call. Its signature must be the owner's. `execute` carries the call out at the exchange. Thread of the paper exchanges.

import { isObject, type JsonObject, objectsOf, textOf } from '../../../core/domain/json.ts';
import type { MicroShares } from '../../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import type { WalletActionKind } from '../../../core/domain/wallet-action.ts';
import { WORD_BYTES } from '../../../venues/venue-a/abi-words.ts';
import { type Address, readAddress, readHex } from '../../../venues/venue-a/address.ts';
import { recoverAddress, SIGNATURE_BYTES } from '../../../venues/venue-a/secp256k1.ts';
import {
  ADAPTER,
  address,
  COLLATERAL,
  NEG_RISK_ADAPTER,
  ROUTER,
  uint,
  V1,
  V2,
  type WalletCall,
} from '../../../venues/venue-a/wallet/wallet-calls.ts';
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
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { TokenIndex } from '../records.ts';

export interface SignedRequest {
  readonly kind: WalletKind;
  readonly owner: Address;
  readonly wallet: Address;
  readonly nonce: number;
  /** Unix seconds. Null means that the request has no deadline. */
  readonly deadlineS: number | null;
  readonly call: WalletCall;
}

/** The signer of `digest`, and the parts of the request that depend on the kind of wallet. */
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

/** Reads and checks the request. It refuses in the simulator's words, because the venue's are not known. */
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
  PROXY: proxyClaimIn,
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

/** Reads a transaction of a Safe. A delegated call, such as several calls at once, is beyond the simulator. */
function safeIn({ proxyWallet, to, data, signatureParams }: JsonObject, { nonce }: Common): Claim | null {
  const [wallet, call] = [readAddress(textOf(proxyWallet)), callOf(to, data)];
  const parameters = isObject(signatureParams) ? signatureParams : {};
  const isPlain = Object.entries(ZERO).every(([name, value]) => parameters[name] === value);
  if (wallet === null || call === null || !isPlain) return null;
  return { wallet, deadlineS: null, call, digest: safeDigest(wallet, call, BigInt(nonce)) };
}

function proxyClaimIn({ proxyWallet, data, signatureParams }: JsonObject, { owner, to, nonce }: Common): Claim | null {
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

/** The places in `proxyData`: of the target, of the data's length, and of the data. The selector and other words stand before them. */
const [TARGET_AT, LENGTH_AT, CALL_AT] = [4 + 4 * 32, 4 + 7 * 32, 4 + 8 * 32];

/** Returns the call. Null means that the bytes are not those of exactly one call. */
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

/** Reads the signature. A Safe has values of v of its own. */
function signatureOf({ signature }: JsonObject, kind: WalletKind): Uint8Array | null {
  const bytes = readHex(textOf(signature), SIGNATURE_BYTES);
  if (bytes?.length !== SIGNATURE_BYTES) return null;
  const own = Uint8Array.from(bytes);
  if (kind === 'SAFE') own[SIGNATURE_BYTES - 1]! -= SAFE_PERSONAL;
  return own;
}

/** Reads a whole number. The request has numbers as texts. */
function wholeOf(value: unknown): number | null {
  const text = textOf(value);
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

interface ChainCall {
  readonly kind: WalletActionKind;
  readonly market: VenueAMarket;
  /** The shares that the call is about. Null means all shares that the wallet has. */
  readonly amount: MicroShares | null;
  /** The outcome that a redemption at protocol V2 names. */
  readonly outcome: TokenIndex | null;
}

type Markets = VenueAExchange['markets'];

const SELECTOR_BYTES = 4;

/** Reads what a call does. Null means that the contract would refuse the call, or that the simulator does not know it. */
export function readCall({ target, data }: WalletCall, markets: Markets): ChainCall | null {
  const selector = Buffer.from(data.subarray(0, SELECTOR_BYTES)).toString('hex');
  const words = wordsOf(data.subarray(SELECTOR_BYTES));
  if (words === null) return null;
  if (target === ROUTER) return routerCall(kindOf(V2, selector), words, markets);
  if (target !== ADAPTER && target !== NEG_RISK_ADAPTER) return null;
  const call = adapterCall(kindOf(V1, selector), words, markets);
  return call?.market.listing.isNegRisk === (target === NEG_RISK_ADAPTER) ? call : null;
}

function routerCall(kind: WalletActionKind | null, words: readonly string[], markets: Markets): ChainCall | null {
  const [condition, ...rest] = words;
  const market = marketOf(condition, 'V2', markets);
  const [outcome, amount] = kind === 'REDEEM' ? rest : [undefined, ...rest];
  const size = amountOf(amount);
  if (kind === null || market === null || size === null || words.length !== (kind === 'REDEEM' ? 3 : 2)) return null;
  if (kind !== 'REDEEM') return { kind, market, amount: size, outcome: null };
  const index = BigInt(`0x${outcome}`);
  return index > 1n ? null : { kind, market, amount: size, outcome: Number(index) as TokenIndex };
}

const SETS = [2n, 1n, 2n].map(wordOf);

function adapterCall(kind: WalletActionKind | null, words: readonly string[], markets: Markets): ChainCall | null {
  const [collateral, parent, condition, setsAt, ...rest] = words;
  const market = marketOf(condition, 'V1', markets);
  const head = kind === 'REDEEM' ? [] : rest.slice(0, 1);
  const isWellFormed =
    collateral === Buffer.from(address(COLLATERAL)).toString('hex') &&
    parent === wordOf(0n) &&
    setsAt === wordOf(BigInt((4 + head.length) * WORD_BYTES)) &&
    rest.slice(head.length).join() === SETS.join();
  if (kind === null || market === null || !isWellFormed) return null;
  if (kind === 'REDEEM') return { kind, market, amount: null, outcome: null };
  const amount = amountOf(head[0]);
  return amount === null ? null : { kind, market, amount, outcome: null };
}

function kindOf(selectors: Readonly<Record<WalletActionKind, string>>, selector: string): WalletActionKind | null {
  const kinds = Object.keys(selectors) as WalletActionKind[];
  return kinds.find(kind => selectors[kind] === selector) ?? null;
}

function marketOf(
  condition: string | undefined,
  protocol: VenueAMarket['protocol'],
  markets: Markets,
): VenueAMarket | null {
  const market = markets.get(`0x${condition}`);
  return market?.protocol === protocol ? market : null;
}

function amountOf(word: string | undefined): MicroShares | null {
  const amount = word === undefined ? Number.NaN : Number(BigInt(`0x${word}`));
  return Number.isSafeInteger(amount) && amount > 0 ? (amount as MicroShares) : null;
}

/** Returns the words in hex. Null means that the bytes are not whole words. */
function wordsOf(bytes: Uint8Array): readonly string[] | null {
  if (bytes.length === 0 || bytes.length % WORD_BYTES !== 0) return null;
  return Buffer.from(bytes).toString('hex').match(/.{64}/g);
}

function wordOf(value: bigint): string {
  return Buffer.from(uint(value)).toString('hex');
}

/** For each protocol the approval for dollars, then the approval for shares. */
const APPROVALS = {
  V1: ['PusdAdapter', 'CtfAdapterIsApprovedForAll'],
  V2: ['PusdV2Router', 'V2PositionManagerRouterIsApprovedForAll'],
} as const;

/** Carries the call out. Returns whether the chain does so; if it does not, nothing has changed. */
export function execute(
  exchange: VenueAExchange,
  wallet: string,
  { kind, market, amount, outcome }: ChainCall,
): boolean {
  const [ofDollars, ofShares] = APPROVALS[market.protocol];
  if (exchange.revoked(wallet).has(kind === 'SPLIT' ? ofDollars : ofShares)) return false;
  const none = 0 as MicroShares;
  switch (kind) {
    case 'SPLIT':
      return exchange.split(wallet, market, amount ?? none);
    case 'MERGE':
      return exchange.merge(wallet, market, amount ?? none);
    default: {
      const all = [exchange.shares(wallet, market, 0), exchange.shares(wallet, market, 1)] as const;
      const sizes = amount === null ? all : outcome === 0 ? ([amount, none] as const) : ([none, amount] as const);
      return exchange.redeemShares(wallet, market, sizes) !== null;
    }
  }
}

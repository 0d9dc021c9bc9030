// Calls of wallets that the simulated chain knows: redeem, split and merge at the contracts of both protocols (venue-a.md §15). Pure.

import type { MicroShares } from '../../../core/domain/numbers.ts';
import type { WalletActionKind } from '../../../core/domain/wallet-action.ts';
import { WORD_BYTES } from '../../../venues/venue-a/abi-words.ts';
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
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { TokenIndex } from '../records.ts';

interface ChainCall {
  readonly kind: WalletActionKind;
  readonly market: VenueAMarket;
  /** Null: of all shares that the wallet has. */
  readonly amount: MicroShares | null;
  /** The outcome of a redemption at protocol V2. */
  readonly outcome: TokenIndex | null;
}

type Markets = VenueAExchange['markets'];

const SELECTOR_BYTES = 4;

/** Null: the contract would refuse it, or the simulator does not know it. */
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

/** In hex; null unless the bytes are whole words. */
function wordsOf(bytes: Uint8Array): readonly string[] | null {
  if (bytes.length === 0 || bytes.length % WORD_BYTES !== 0) return null;
  return Buffer.from(bytes).toString('hex').match(/.{64}/g);
}

function wordOf(value: bigint): string {
  return Buffer.from(uint(value)).toString('hex');
}

/** The approval for dollars, then the approval for shares. */
const APPROVALS = {
  V1: ['PusdAdapter', 'CtfAdapterIsApprovedForAll'],
  V2: ['PusdV2Router', 'V2PositionManagerRouterIsApprovedForAll'],
} as const;

/** Whether the chain does it; otherwise nothing has changed. */
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

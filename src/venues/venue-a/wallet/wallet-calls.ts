// The contract calls that redeem, split and merge shares of a wallet of venue A (changes-2026.md B), by protocol. Amounts are in
// millionths. Pure.

import type { WalletRequest } from '../../wallet-port.ts';
import { WORD_BYTES } from '../abi-words.ts';
import { type Address, readAddress } from '../address.ts';
import { conditionOfPosition, outcomeOfPosition, protocolOf } from '../position-ids.ts';

export interface WalletCall {
  readonly target: Address;
  readonly data: Uint8Array;
}

/** The facts of the token's market that a call needs. */
export interface CallMarket {
  /** The condition id: `0x` and 64 hex digits. It is not used for a position id, which contains its condition. */
  readonly conditionId: string;
  readonly isNegRisk: boolean;
}

export const COLLATERAL = readAddress('0xC011a7E12a19f7B1f670d46F03B03f3342E82DFB')!;
export const ADAPTER = readAddress('0xAdA100Db00Ca00073811820692005400218FcE1f')!;
export const NEG_RISK_ADAPTER = readAddress('0xadA2005600Dec949baf300f4C6120000bDB6eAab')!;
export const ROUTER = readAddress('0x12121212006e4CD160D18e3f00711DA5c3372600')!;

/** The selectors of the collateral adapters (V1) and of the router (V2). */
export const V1 = { SPLIT: '72ce4275', MERGE: '9e7212ad', REDEEM: '01b7037c' } as const;
export const V2 = { SPLIT: '82d3b9f1', MERGE: '5b63685e', REDEEM: 'd217a3cc' } as const;

/** The index sets of a market's two outcomes, as the Conditional Tokens contract numbers them. */
const INDEX_SETS = [1n, 2n];

/**
 * Returns the call of an action. At Protocol V1 a redeem takes all shares of both outcomes that the wallet holds, regardless of `shares`. A
 * split of a dollar makes a share of each outcome.
 */
export function walletCall(request: WalletRequest, market: CallMarket): WalletCall {
  return protocolOf(request.tokenId) === 'V2' ? routerCall(request) : adapterCall(request, market);
}

/** Returns the router's call: `redeem(bytes31 condition, uint256 outcome, uint256 amount)`. `split` and `merge` have no outcome. */
function routerCall({ kind, tokenId, shares }: WalletRequest): WalletCall {
  const outcome = kind === 'REDEEM' ? [uint(BigInt(outcomeOfPosition(tokenId)))] : [];
  const words = [conditionOfPosition(tokenId), ...outcome, uint(BigInt(shares))];
  return { target: ROUTER, data: Buffer.concat([Buffer.from(V2[kind], 'hex'), ...words]) };
}

/**
 * Returns the adapter's call: `split` or `merge` `(address collateral, bytes32 parent, bytes32 condition, uint256[] indexSets, uint256
 * amount)`. `redeem` has no amount.
 */
function adapterCall({ kind, shares }: WalletRequest, { conditionId, isNegRisk }: CallMarket): WalletCall {
  const amount = kind === 'REDEEM' ? [] : [uint(BigInt(shares))];
  const condition = Buffer.from(conditionId.slice(2), 'hex');
  const indexSetsAt = uint(BigInt((4 + amount.length) * WORD_BYTES));
  const head = [address(COLLATERAL), uint(0n), condition, indexSetsAt, ...amount];
  const indexSets = [uint(BigInt(INDEX_SETS.length)), ...INDEX_SETS.map(uint)];
  const data = Buffer.concat([Buffer.from(V1[kind], 'hex'), ...head, ...indexSets]);
  return { target: isNegRisk ? NEG_RISK_ADAPTER : ADAPTER, data };
}

export function uint(value: bigint): Uint8Array {
  return Buffer.from(value.toString(16).padStart(2 * WORD_BYTES, '0'), 'hex');
}

export function address(value: Address): Uint8Array {
  return Buffer.from(value.slice(2).padStart(2 * WORD_BYTES, '0'), 'hex');
}

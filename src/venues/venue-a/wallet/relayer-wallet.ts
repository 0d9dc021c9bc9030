// The wallet of an account of venue A (wallet-port.ts). Its transactions go through the venue's relayer (venue-a.md §15), which pays the
// gas. So no node of the chain is needed. Engine thread.

import { SECOND_MS } from '../../../core/domain/durations.ts';
import type { MicroShares, UnixMillis } from '../../../core/domain/numbers.ts';
import type { VenueAAccount } from '../../../core/domain/pod-accounts.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import type { RedeemBounds, WalletActionKind, WalletIntent } from '../../../core/domain/wallet-action.ts';
import type { OutboundPool } from '../../../core/net/outbound.ts';
import type { Log } from '../../../core/runtime/log.ts';
import type { Timers } from '../../../core/runtime/timers.ts';
import type {
  VenueWallet,
  WalletRequest,
  WalletSubmitOutcome,
  WalletToken,
  WalletTransactionState,
} from '../../wallet-port.ts';
import type { Address } from '../address.ts';
import { approvalsTarget, missingApprovals, SHARES_APPROVAL, SPLIT_APPROVAL } from '../approvals.ts';
import { POLYGON } from '../exchanges.ts';
import { protocolOf } from '../position-ids.ts';
import { addressOf } from '../secp256k1.ts';
import { balanceOf, readData } from '../trading/holdings.ts';
import type { MarketTermsCache } from '../trading/market-terms.ts';
import type { OrderSigner } from '../trading/order-body.ts';
import type { VenueApi } from '../trading/venue-api.ts';
import { RelayerApi } from './relayer-api.ts';
import { walletCall } from './wallet-calls.ts';
import { WalletMarkets } from './wallet-markets.ts';
import { signedTransaction, type WalletKind, type WalletSigner } from './wallet-transactions.ts';

interface RelayerWalletParts {
  readonly account: VenueAAccount;
  readonly signer: OrderSigner;
  readonly api: VenueApi;
  readonly terms: MarketTermsCache;
  readonly outboundData: OutboundPool;
  /** The connections to the relayer. Null if the account names no relayer. */
  readonly outboundRelayer: OutboundPool | null;
  readonly timers: Timers;
  readonly log: Log;
}

const KINDS: Readonly<Record<VenueAAccount['signatureType'], WalletKind | null>> = {
  0: null,
  1: 'PROXY',
  2: 'SAFE',
  3: 'WALLET',
};
/** The seconds for which a deposit wallet accepts a batch after it was signed. */
const BATCH_VALID_S = 600;
/** The time for which the relayer's next nonce may lag behind its words about the chain. */
const NONCE_LAG_MS = 60_000;

/** The relayer, and the wallet that it serves. */
interface Served {
  readonly relayer: RelayerApi;
  readonly signer: WalletSigner;
}

export class RelayerWallet implements VenueWallet {
  readonly problem: string | null;
  readonly autoRedeem: RedeemBounds | null;
  readonly #parts: RelayerWalletParts;
  readonly #markets: WalletMarkets;
  /** The relayer and the wallet. Null if `problem` is set. */
  readonly #served: Served | null;
  /** The relayer's own address, which it states with a proxy's nonce. */
  #relay: Address | null = null;
  /**
   * The least next nonce by the relayer’s words about the chain. It is kept only for a while: the relayer's next nonce may lag behind, but
   * its words may be wrong.
   */
  #nonceMin = { nonce: 0n, until: 0 };
  #isDeployed = false;
  /** The text of the last outcome. */
  #lastOutcome = '';

  constructor(parts: RelayerWalletParts) {
    this.#parts = parts;
    this.#markets = new WalletMarkets(parts);
    this.#served = servedBy(parts);
    this.autoRedeem = parts.account.redeemUsdMax ?? null;
    this.problem = this.#served === null ? problemOf(parts.account) : null;
  }

  async token(
    tokenId: string,
  ): Promise<Result<WalletToken, { readonly isUnknown: boolean; readonly message: string }>> {
    const market = await this.#markets.of(tokenId);
    return market.ok ? ok(market.value.token) : market;
  }

  async nonce(): Promise<Result<bigint, string>> {
    if (this.#served === null) return this.#unservedResult();
    const { relayer, signer } = this.#served;
    const place = await relayer.place(signer.owner, signer.kind);
    if (!place.ok) return place;
    this.#relay = place.value.address;
    const { nonce: min, until } = this.#nonceMin;
    return ok(place.value.nonce < min && this.#parts.timers.now() < until ? min : place.value.nonce);
  }

  async prepare(request: WalletRequest, nonce: bigint, now: UnixMillis): Promise<Result<WalletIntent, string>> {
    if (this.#served === null) return this.#unservedResult();
    const { signer } = this.#served;
    const market = await this.#markets.of(request.tokenId);
    if (!market.ok) return fail(market.error.message);
    const obstacle = (await this.#deploymentProblem(this.#served)) ?? (await this.#approvalProblem(request));
    if (obstacle !== null) return fail(obstacle);
    const stated = this.#relay === null ? await this.nonce() : ok(nonce);
    if (!stated.ok) return stated;
    const deadlineS = Math.floor(now / SECOND_MS) + BATCH_VALID_S;
    const call = walletCall(request, market.value.call);
    const body = signedTransaction(signer, call, { nonce, deadlineS, relay: this.#relay! });
    const deadline = signer.kind === 'WALLET' ? ((deadlineS * SECOND_MS) as UnixMillis) : null;
    return ok({ payload: Buffer.from(body), nonce, deadline });
  }

  async submit({ payload, nonce }: WalletIntent, deadline: UnixMillis): Promise<WalletSubmitOutcome> {
    if (this.#served === null) return { type: 'refused', message: this.#unservedResult().error };
    const outcome = await this.#served.relayer.submit(payload, nonce, deadline);
    this.#note(outcome.type, 'message' in outcome ? outcome.message : '');
    if (outcome.type === 'nonce-used')
      this.#nonceMin = { nonce: outcome.onChain, until: this.#parts.timers.now() + NONCE_LAG_MS };
    return outcome;
  }

  async transaction(transactionId: string): Promise<Result<WalletTransactionState, string>> {
    if (this.#served === null) return this.#unservedResult();
    const state = await this.#served.relayer.transaction(transactionId);
    if (state.ok && state.value.type === 'failed') this.#note('failed', state.value.message);
    return state;
  }

  balanceOf(tokenId: string): Promise<Result<MicroShares, string>> {
    const { api, account } = this.#parts;
    return balanceOf(api, tokenId, account.signatureType, true);
  }

  /** Logs an outcome other than success, but not the same outcome twice in a row. */
  #note(outcome: string, message: string): void {
    const said = `${outcome} ${message}`;
    if (said === this.#lastOutcome) return;
    this.#lastOutcome = said;
    if (outcome !== 'accepted')
      this.#parts.log.warn('the relayer has not accepted a request', { venue: 'venue_a', outcome, message });
  }

  #unservedResult(): { readonly ok: false; readonly error: string } {
    return { ok: false, error: this.problem ?? '' };
  }

  /** Returns why a deposit wallet cannot act yet, or null if it can. Only the venue's site makes a deposit wallet. */
  async #deploymentProblem({ relayer, signer }: Served): Promise<string | null> {
    if (signer.kind !== 'WALLET' || this.#isDeployed) return null;
    const deployed = await relayer.isDeployed(signer.wallet);
    if (!deployed.ok) return deployed.error;
    this.#isDeployed = deployed.value;
    return deployed.value
      ? null
      : 'the deposit wallet is not on the chain yet: trade once on the venue’s site, or check funder';
  }

  /**
   * Returns which approval the wallet lacks, or null if none is known to be missing. The venue lists approvals of Protocol V2 only. Without
   * an answer, the chain decides.
   */
  async #approvalProblem({ kind, tokenId }: WalletRequest): Promise<string | null> {
    if (protocolOf(tokenId) === 'V1') return null;
    const { outboundData, account } = this.#parts;
    const answer = await readData(outboundData, approvalsTarget(account.funder));
    const missing = answer.ok ? missingApprovals(answer.value, [APPROVALS[kind]]) : null;
    return missing === null || missing.length === 0
      ? null
      : `the wallet lacks the approval ${missing.join(', ')}: give it on the venue’s site`;
  }
}

const APPROVALS: Readonly<Record<WalletActionKind, string>> = {
  SPLIT: SPLIT_APPROVAL,
  MERGE: SHARES_APPROVAL,
  REDEEM: SHARES_APPROVAL,
};

function servedBy({ account, signer, outboundRelayer: outbound, timers }: RelayerWalletParts): Served | null {
  const { relayer: access, signatureType, chainId } = account;
  const kind = KINDS[signatureType];
  if (kind === null || access === undefined || outbound === null || chainId !== POLYGON) return null;
  const owner = addressOf(signer.key);
  return {
    relayer: new RelayerApi({ access, outbound, timers }),
    signer: { kind, key: signer.key, owner, wallet: signer.maker },
  };
}

function problemOf({ signatureType, chainId }: VenueAAccount): string {
  if (KINDS[signatureType] === null)
    return 'venue A’s relayer serves no wallet of an externally owned account (signatureType 0): redeem, split and merge on the venue’s site, or trade from a deposit wallet (signatureType 3)';
  if (chainId !== POLYGON) return `venue A’s relayer serves chainId ${POLYGON} only`;
  return 'the account names no relayer: add venueA.relayer to the pods file, with the url and the apiKey of venue A’s relayer';
}

// Markets of venue A as a wallet's contracts see them: the market of a token, and the token's payout. A result counts only by a `resolved`
// row of the venue's resolutions. At Protocol V1 the CLOB's winner must agree, because only the CLOB names the token (venue-a.md §0.1, §4).
// Engine thread.

import { isObject } from '../../../core/domain/json.ts';
import { isPlainTokenId } from '../../../core/domain/market.ts';
import { MICROS_PER_DOLLAR, type MicroDollars } from '../../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import type { OutboundPool } from '../../../core/net/outbound.ts';
import type { FactsRefusal } from '../../venue.ts';
import type { WalletToken } from '../../wallet-port.ts';
import { readMarketDocument } from '../market-document.ts';
import { complementOfPosition, conditionIdOfPosition, outcomeOfPosition, protocolOf } from '../position-ids.ts';
import { resolutionOf } from '../trading/holdings.ts';
import type { MarketTermsCache } from '../trading/market-terms.ts';
import type { VenueApi } from '../trading/venue-api.ts';
import type { CallMarket } from './wallet-calls.ts';

interface WalletMarketsParts {
  readonly api: VenueApi;
  readonly terms: MarketTermsCache;
  readonly outboundData: OutboundPool;
}

/** A wallet's view of a token, and the market facts that a call needs. */
interface WalletMarket {
  readonly token: WalletToken;
  readonly call: CallMarket;
}

interface MarketRefusal {
  readonly isUnknown: boolean;
  readonly message: string;
}

const UNKNOWN: Result<string, FactsRefusal> = fail({ type: 'unknown-market' });

type Read<T> = Promise<Result<T, MarketRefusal>>;

export class WalletMarkets {
  readonly #parts: WalletMarketsParts;

  constructor(parts: WalletMarketsParts) {
    this.#parts = parts;
  }

  async of(tokenId: string): Read<WalletMarket> {
    // Only the plain form is asked for, because the venue may read other digits as the same number.
    const condition = isPlainTokenId(tokenId) ? await this.#parts.terms.conditionOf(tokenId) : UNKNOWN;
    if (!condition.ok) {
      const { error } = condition;
      if (error.type === 'unavailable') return fail({ isUnknown: false, message: error.message });
      return fail({ isUnknown: true, message: 'venue A: no such token' });
    }
    return protocolOf(tokenId) === 'V2' ? this.#ofPosition(tokenId) : this.#ofToken(tokenId, condition.value);
  }

  /** Reads a position of Protocol V2, whose id says everything except the result. */
  async #ofPosition(tokenId: string): Read<WalletMarket> {
    const conditionId = conditionIdOfPosition(tokenId);
    const payouts = await resolutionOf(this.#parts.outboundData, conditionId);
    if (!payouts.ok) return unread(payouts.error);
    const payout = payouts.value?.[outcomeOfPosition(tokenId)] ?? null;
    const token = { tokenId, complementId: complementOfPosition(tokenId), redeemsAnAmount: true, payout };
    return ok({ token, call: { conditionId, isNegRisk: false } });
  }

  async #ofToken(tokenId: string, conditionId: string): Read<WalletMarket> {
    const { api, outboundData } = this.#parts;
    const answer = await api.readPublic(`/markets/${conditionId}`);
    if (!answer.ok) return unread(`/markets: ${answer.error.message}`);
    const document = readMarketDocument(answer.value);
    const isNegRisk = isObject(answer.value) ? answer.value.neg_risk : undefined;
    const [first, second] = document.type === 'market' ? document.market.tokens : [];
    const [own, other] = first?.tokenId === tokenId ? [first, second] : [second, first];
    if (own?.tokenId !== tokenId || other === undefined || typeof isNegRisk !== 'boolean')
      return unread(`market ${conditionId} is not described as expected`);
    const payouts = await resolutionOf(outboundData, conditionId);
    if (!payouts.ok) return unread(payouts.error);
    const payout = payouts.value === null ? null : agreedPayout([own.isWinner, other.isWinner], payouts.value);
    const token = { tokenId, complementId: other.tokenId, redeemsAnAmount: false, payout };
    return ok({ token, call: { conditionId, isNegRisk } });
  }
}

/** Returns the payout of the token whose win is the first of `wins`, or null if the CLOB contradicts the resolution. */
function agreedPayout([won, lost]: readonly [boolean, boolean], payouts: readonly MicroDollars[]): MicroDollars | null {
  const own = won === lost ? MICROS_PER_DOLLAR / 2 : won ? MICROS_PER_DOLLAR : 0;
  const isAgreed = !(won && lost) && payouts.some(payout => payout === own);
  return isAgreed ? (own as MicroDollars) : null;
}

function unread(detail: string): Result<never, MarketRefusal> {
  return fail({ isUnknown: false, message: `venue A: ${detail}` });
}

// Checks a POST /order body before the exchange (venue-a.md §2, §3.1): owner, signer, limits. Cheap checks come first, the signature last.
// Thread of the paper exchanges.

import { isObject } from '../../../core/domain/json.ts';
import { formatMicroShares, type MicroDollars, type MicroShares, type Ticks } from '../../../core/domain/numbers.ts';
import { fail, ok, type Result } from '../../../core/domain/result.ts';
import { type ChainId, type Exchange, exchangeOf } from '../../../venues/venue-a/exchanges.ts';
import { isInRange, isMarketPrice, isRounded, limitOf } from '../../../venues/venue-a/order-amounts.ts';
import { orderDigest, orderId, verifyOrder } from '../../../venues/venue-a/order-signing.ts';
import { protocolOf } from '../../../venues/venue-a/position-ids.ts';
import { readSignedOrder, type SignedOrder } from '../../../venues/venue-a/signed-order.ts';
import { BUY, POLY_1271, type VenueAOrder } from '../../../venues/venue-a/typed-data.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { OrderType } from '../records.ts';
import type { VenueAAccess } from './access.ts';
import * as errors from './order-errors.ts';
import type { VenueAError } from './replies.ts';
import type { Caller } from './route.ts';

interface OrderAdmissionParts {
  readonly exchange: Pick<VenueAExchange, 'tokens'>;
  readonly access: VenueAAccess;
  readonly chainId: ChainId;
}

/** Fields of the body beside the order. */
interface Terms {
  readonly owner: string;
  readonly type: OrderType;
  readonly postOnly: boolean;
}

interface Limit {
  readonly price: Ticks;
  readonly size: MicroShares;
  readonly dollars: MicroDollars;
}

export class OrderAdmission {
  readonly #exchange: Pick<VenueAExchange, 'tokens'>;
  readonly #access: VenueAAccess;
  readonly #chainId: ChainId;

  constructor({ exchange, access, chainId }: OrderAdmissionParts) {
    this.#exchange = exchange;
    this.#access = access;
    this.#chainId = chainId;
  }

  admit(body: unknown, caller: Caller): Result<errors.AdmittedOrder, VenueAError> {
    if (isObject(body) && isVersion1(body.order)) return fail(errors.VERSION_MISMATCH);
    const terms = readTerms(body);
    const signed = isObject(body) ? readSignedOrder(body.order) : null;
    if (terms === null || !signed?.ok) return fail(errors.INVALID_ORDER_PAYLOAD);
    if (terms.owner !== caller.apiKey) return fail(errors.NOT_THE_OWNER);
    const { order, expirationS } = signed.value;
    const token = this.#exchange.tokens.get(String(order.tokenId));
    if (token === undefined) return fail(errors.UNKNOWN_MARKET);
    const { market, index } = token;
    const restricted = this.#restriction(order, caller);
    if (restricted !== null) return fail(restricted);
    if ((terms.type === 'GTD') !== expirationS > 0) return fail(errors.INVALID_EXPIRATION);
    const exchange = exchangeOf(market.protocol, this.#chainId, market.listing.isNegRisk);
    const limit = readLimit(order, terms.type, market, () => orderId(orderDigest(order, exchange)));
    if (!limit.ok) return limit;
    const maker = this.#maker(signed.value, caller, exchange);
    if (!maker.ok) return maker;
    const isBuy = order.side === BUY;
    const { price, size, dollars } = limit.value;
    const spends = isBuy && isMarketType(terms.type) ? dollars : null;
    const { type, postOnly } = terms;
    return ok({
      order: {
        ...maker.value,
        owner: caller.apiKey,
        market,
        token: index,
        isBuy,
        price,
        size,
        spends,
        type,
        expirationS,
        builderCode: signed.value.order.builder,
        postOnly,
      },
      dollars,
    });
  }

  #restriction(order: VenueAOrder, caller: Caller): VenueAError | null {
    const restriction = this.#access.restrictionOf(caller.address);
    if (restriction === 'banned') return errors.badOrder(`'${caller.address}' address banned`);
    // Closed only: holdings may still be sold.
    if (restriction === null || order.side !== BUY) return null;
    return errors.badOrder(`'${caller.address}' address in closed only mode`);
  }

  /** Checks that the caller has signed for the token's exchange, and owns the wallet. */
  #maker(
    { order, signature }: SignedOrder,
    caller: Caller,
    exchange: Exchange,
  ): Result<{ readonly orderId: string; readonly wallet: string }, VenueAError> {
    const address = caller.address.toLowerCase();
    if (order.signatureType !== POLY_1271 && order.signer !== address) return fail(errors.NOT_THE_SIGNER);
    const digest = orderDigest(order, exchange);
    const signer = verifyOrder(order, signature, exchange, digest);
    if (!signer.ok)
      return fail(this.#isOfOtherProtocol(order, signature) ? errors.VERSION_MISMATCH : errors.INVALID_SIGNATURE);
    if (signer.value !== address) return fail(errors.NOT_THE_SIGNER);
    const wallet = this.#access.wallets.claim(order.maker, signer.value, order.signatureType);
    return wallet === null ? fail(errors.MAKER_NOT_ALLOWED) : ok({ orderId: orderId(digest), wallet });
  }

  /** Whether the signature is good for an exchange of the protocol that is not the token's. */
  #isOfOtherProtocol(order: VenueAOrder, signature: Uint8Array): boolean {
    const other = protocolOf(String(order.tokenId)) === 'V1' ? 'V2' : 'V1';
    return [false, true].some(it => verifyOrder(order, signature, exchangeOf(other, this.#chainId, it)).ok);
  }
}

/** The struct of the former exchange: with nonce and fee, without a time. */
function isVersion1(order: unknown): boolean {
  return (
    isObject(order) && order.timestamp === undefined && (order.nonce !== undefined || order.feeRateBps !== undefined)
  );
}

const ORDER_TYPES: readonly unknown[] = ['GTC', 'GTD', 'FOK', 'FAK'] satisfies OrderType[];

function readTerms(body: unknown): Terms | null {
  if (!isObject(body)) return null;
  const { owner, orderType, postOnly = false, deferExec = false } = body;
  if (typeof owner !== 'string' || !ORDER_TYPES.includes(orderType)) return null;
  if (typeof postOnly !== 'boolean' || typeof deferExec !== 'boolean') return null;
  const type = orderType as OrderType;
  return postOnly && isMarketType(type) ? null : { owner, type, postOnly };
}

function isMarketType(type: OrderType): boolean {
  return type === 'FOK' || type === 'FAK';
}

/**
 * The price and size that the amounts mean (venue-a.md §2.2). The price of a limit order is their quotient. A market order's taker amount
 * was rounded to four decimals; its price is the tick that gives that amount.
 */
function readLimit(
  order: VenueAOrder,
  type: OrderType,
  market: VenueAMarket,
  id: () => string,
): Result<Limit, VenueAError> {
  const { side, makerAmount, takerAmount } = order;
  const [dollars, shares] = side === BUY ? [makerAmount, takerAmount] : [takerAmount, makerAmount];
  const rules = market.amountRules;
  const limit = dollars === 0n ? null : limitOf(side, order, rules);
  if (limit === null || dollars > BigInt(Number.MAX_SAFE_INTEGER)) return fail(errors.INVALID_ORDER_PAYLOAD);
  const { price, size, isExact } = limit;
  const isOfPrice = isExact || (isMarketType(type) && isMarketPrice(side, order, price));
  if (!isOfPrice || !isInRange(price, rules))
    return fail(errors.brokenTick(id(), quotientText(dollars, shares), market.tickSize));
  if (!isRounded(side, isMarketType(type) ? 'market' : 'limit', order, rules))
    return fail(errors.tooManyDecimals(type, side === BUY, market));
  return ok({ price, size, dollars: Number(dollars) as MicroDollars });
}

/** The quotient to six decimals. */
function quotientText(dollars: bigint, shares: bigint): string {
  return formatMicroShares(Number((dollars * 1_000_000n) / shares) as MicroShares);
}

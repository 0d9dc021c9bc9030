// Checks the body of POST /order before the exchange gets the order (venue-a.md §2, §3.1): owner, signer and limits. Cheap checks come
// first, the signature last. Refusals are in venue A's words, because clients distinguish errors by parts of these texts. Thread of the
// paper exchanges.

import { isObject } from '../../../core/domain/json.ts';
import {
  formatMicroShares,
  formatTicks,
  type MicroDollars,
  type MicroShares,
  type Ticks,
} from '../../../core/domain/numbers.ts';
import { fail, ok, type Result, unreachable } from '../../../core/domain/result.ts';
import { limits } from '../../../limits.ts';
import { type ChainId, type Exchange, exchangeOf } from '../../../venues/venue-a/exchanges.ts';
import { isInRange, isMarketPrice, isRounded, limitOf } from '../../../venues/venue-a/order-amounts.ts';
import { orderDigest, orderId, verifyOrder } from '../../../venues/venue-a/order-signing.ts';
import { protocolOf } from '../../../venues/venue-a/position-ids.ts';
import { readSignedOrder, type SignedOrder } from '../../../venues/venue-a/signed-order.ts';
import { BUY, POLY_1271, type VenueAOrder } from '../../../venues/venue-a/typed-data.ts';
import type { VenueAExchange } from '../exchange.ts';
import type { VenueAMarket } from '../market.ts';
import type { NewOrder, OrderType, VenueARefusal } from '../records.ts';
import type { VenueAAccess } from './access.ts';
import { type Caller, dollarsText, type VenueAError } from './route.ts';

interface OrderAdmissionParts {
  readonly exchange: Pick<VenueAExchange, 'tokens'>;
  readonly access: VenueAAccess;
  readonly chainId: ChainId;
}

/** The fields of the body beside the order. */
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

  admit(body: unknown, caller: Caller): Result<AdmittedOrder, VenueAError> {
    if (isObject(body) && isVersion1(body.order)) return fail(VERSION_MISMATCH);
    const terms = readTerms(body);
    const signed = isObject(body) ? readSignedOrder(body.order) : null;
    if (terms === null || !signed?.ok) return fail(INVALID_ORDER_PAYLOAD);
    if (terms.owner !== caller.apiKey) return fail(NOT_THE_OWNER);
    const { order, expirationS } = signed.value;
    const token = this.#exchange.tokens.get(String(order.tokenId));
    if (token === undefined) return fail(UNKNOWN_MARKET);
    const { market, index } = token;
    const restricted = this.#restriction(order, caller);
    if (restricted !== null) return fail(restricted);
    if ((terms.type === 'GTD') !== expirationS > 0) return fail(INVALID_EXPIRATION);
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
    if (restriction === 'banned') return badOrder(`'${caller.address}' address banned`);
    // A `closed-only` address may still sell its holdings.
    if (restriction === null || order.side !== BUY) return null;
    return badOrder(`'${caller.address}' address in closed only mode`);
  }

  /** Checks that the caller has signed for the token's exchange and owns the wallet. */
  #maker(
    { order, signature }: SignedOrder,
    caller: Caller,
    exchange: Exchange,
  ): Result<{ readonly orderId: string; readonly wallet: string }, VenueAError> {
    const address = caller.address.toLowerCase();
    if (order.signatureType !== POLY_1271 && order.signer !== address) return fail(NOT_THE_SIGNER);
    const digest = orderDigest(order, exchange);
    const signer = verifyOrder(order, signature, exchange, digest);
    if (!signer.ok) return fail(this.#isOfOtherProtocol(order, signature) ? VERSION_MISMATCH : INVALID_SIGNATURE);
    if (signer.value !== address) return fail(NOT_THE_SIGNER);
    const wallet = this.#access.wallets.claim(order.maker, signer.value, order.signatureType);
    return wallet === null ? fail(MAKER_NOT_ALLOWED) : ok({ orderId: orderId(digest), wallet });
  }

  /** Whether the signature is good for an exchange of the other protocol than the token's. */
  #isOfOtherProtocol(order: VenueAOrder, signature: Uint8Array): boolean {
    const other = protocolOf(String(order.tokenId)) === 'V1' ? 'V2' : 'V1';
    return [false, true].some(it => verifyOrder(order, signature, exchangeOf(other, this.#chainId, it)).ok);
  }
}

/** Whether the order is the struct of the former exchange, which has a nonce and a fee but no time. */
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
 * Returns the price and size that the amounts mean (venue-a.md §2.2). The price of a limit order is the quotient of its amounts. A market
 * order's taker amount was rounded to four decimals, so its price is the tick that gives this amount.
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
  if (limit === null || dollars > BigInt(Number.MAX_SAFE_INTEGER)) return fail(INVALID_ORDER_PAYLOAD);
  const { price, size, isExact } = limit;
  const isOfPrice = isExact || (isMarketType(type) && isMarketPrice(side, order, price));
  if (!isOfPrice || !isInRange(price, rules))
    return fail(brokenTick(id(), quotientText(dollars, shares), market.tickSize));
  if (!isRounded(side, isMarketType(type) ? 'market' : 'limit', order, rules))
    return fail(tooManyDecimals(type, side === BUY, market));
  return ok({ price, size, dollars: Number(dollars) as MicroDollars });
}

/** Returns the quotient with six decimals. */
function quotientText(dollars: bigint, shares: bigint): string {
  return formatMicroShares(Number((dollars * 1_000_000n) / shares) as MicroShares);
}

/** An order that has passed every check that comes before those of the exchange. */
interface AdmittedOrder {
  readonly order: NewOrder;
  /** The payment or proceeds for all shares. */
  readonly dollars: MicroDollars;
}

function badOrder(error: string): VenueAError {
  return { status: 400, body: { error } };
}

export const INVALID_ORDER_PAYLOAD = badOrder('Invalid order payload');
const INVALID_SIGNATURE = badOrder('invalid signature');
const INVALID_EXPIRATION = badOrder('invalid expiration');
const VERSION_MISMATCH = badOrder('order_version_mismatch');
const NOT_THE_OWNER = badOrder('the order owner has to be the owner of the API KEY');
const NOT_THE_SIGNER = badOrder('the order signer address has to be the address of the API KEY');
const MAKER_NOT_ALLOWED = badOrder('maker address not allowed, please use the deposit wallet flow');
const UNKNOWN_MARKET: VenueAError = { status: 404, body: { error: 'market not found' } };
export const TRADING_DISABLED = unavailable('Trading is currently disabled. Check polymarket.com for updates');
export const RESTARTING: VenueAError = { status: 425, body: { error: 'matching engine is restarting' } };

/**
 * Returns the venue's error for a refusal of the exchange. `holding` is the wallet's balance of the token or dollars that the order gives,
 * in millionths.
 */
export function refusedOrder(
  refusal: VenueARefusal,
  { order, dollars }: AdmittedOrder,
  holding: () => number,
): VenueAError {
  const { orderId: orderID } = order;
  const refused = (error: string): VenueAError => ({ status: 400, body: { error, orderID } });
  switch (refusal) {
    case 'duplicate':
      return refused(`order ${orderID} is invalid. Duplicated.`);
    case 'not-enough-balance': {
      const gives = order.isBuy ? dollars : order.size;
      const detail = `the balance is not enough -> balance: ${holding()}, order amount: ${gives}`;
      return refused(`not enough balance / allowance: ${detail}`);
    }
    case 'breaks-tick':
      return brokenTick(orderID, formatTicks(order.price), order.market.tickSize);
    case 'invalid-amounts':
      return tooManyDecimals(order.type, order.isBuy, order.market);
    case 'below-min-size': {
      const { minOrderSize } = order.market.listing;
      return refused(
        `order ${orderID} is invalid. Size (${formatMicroShares(order.size)}) lower than the minimum: ${minOrderSize}`,
      );
    }
    case 'marketable-buy-below-one-dollar':
      return refused(`invalid amount for a marketable BUY order ($${dollarsText(dollars)}), min size: $1`);
    case 'post-only-crosses':
      return refused('invalid post-only order: order crosses book');
    case 'fok-not-filled':
      return refused("order couldn't be fully filled. FOK orders are fully filled or killed.");
    case 'fak-no-match':
      return refused(
        'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
      );
    case 'invalid-expiration':
      return INVALID_EXPIRATION;
    case 'market-not-ready':
      return refused(notReady(order));
    case 'trading-disabled':
      return TRADING_DISABLED;
    case 'cancel-only':
      return unavailable('Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.');
    case 'post-only-mode':
      return postOnlyMode();
    case 'engine-restarting':
      return RESTARTING;
    default:
      return unreachable(refusal);
  }
}

/** Returns the venue's text for a market that takes no orders. A resolved market has no book, and the text says so. */
function notReady({ market: { listing, resolution }, token }: NewOrder): string {
  if (resolution === null) return 'the market is not yet ready to process new orders';
  return `the orderbook ${listing.tokens[token]} does not exist`;
}

function brokenTick(orderId: string, price: string, tickSize: string): VenueAError {
  return badOrder(`order ${orderId} is invalid. Price (${price}) breaks minimum tick size rule: ${tickSize}`);
}

/**
 * Returns the error about decimals. A limit order has two decimals in its shares, and in its dollars as many as the tick requires. A market
 * order gives two decimals and takes four.
 */
function tooManyDecimals(type: OrderType, isBuy: boolean, market: VenueAMarket): VenueAError {
  const isMarket = type === 'FOK' || type === 'FAK';
  const dollars = isMarket ? 4 : market.amountRules.dollarDecimals;
  const [makerDecimals, takerDecimals] = isMarket || !isBuy ? [2, dollars] : [dollars, 2];
  return badOrder(
    `invalid amounts, the ${isMarket ? 'market ' : ''}${isBuy ? 'buy' : 'sell'} orders maker amount supports a max accuracy ` +
      `of ${makerDecimals} decimals, taker amount a max of ${takerDecimals} decimals`,
  );
}

function unavailable(error: string): VenueAError {
  return { status: 503, body: { error } };
}

function postOnlyMode(): VenueAError {
  const retryAfterS = limits.paperVenueARetryAfterS;
  return {
    status: 503,
    body: {
      error: 'post-only mode: only post-only orders and cancels are allowed',
      code: 'post_only_mode',
      retry_after_seconds: retryAfterS,
    },
    headers: [['Retry-After', String(retryAfterS)]],
  };
}

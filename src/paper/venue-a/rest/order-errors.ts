// Refusals of orders in venue A's words (venue-a.md §3.1); clients distinguish errors by parts of these texts. Pure.

import { formatMicroShares, formatTicks, type MicroDollars } from '../../../core/domain/numbers.ts';
import { unreachable } from '../../../core/domain/result.ts';
import { limits } from '../../../limits.ts';
import type { VenueAMarket } from '../market.ts';
import type { NewOrder, VenueARefusal } from '../order-requests.ts';
import type { OrderType } from '../records.ts';
import { dollarsText } from './decimal-text.ts';
import type { VenueAError } from './replies.ts';

/** An order that has passed every check before the exchange's. */
export interface AdmittedOrder {
  readonly order: NewOrder;
  /** The payment or proceeds for all shares. */
  readonly dollars: MicroDollars;
}

export function badOrder(error: string): VenueAError {
  return { status: 400, body: { error } };
}

export const INVALID_ORDER_PAYLOAD = badOrder('Invalid order payload');
export const INVALID_SIGNATURE = badOrder('invalid signature');
export const INVALID_EXPIRATION = badOrder('invalid expiration');
export const VERSION_MISMATCH = badOrder('order_version_mismatch');
export const NOT_THE_OWNER = badOrder('the order owner has to be the owner of the API KEY');
export const NOT_THE_SIGNER = badOrder('the order signer address has to be the address of the API KEY');
export const MAKER_NOT_ALLOWED = badOrder('maker address not allowed, please use the deposit wallet flow');
export const UNKNOWN_MARKET: VenueAError = { status: 404, body: { error: 'market not found' } };
export const TRADING_DISABLED = unavailable('Trading is currently disabled. Check polymarket.com for updates');
export const RESTARTING: VenueAError = { status: 425, body: { error: 'matching engine is restarting' } };

/** `holding` is the wallet's balance of the token or dollars that the order gives, in millionths. */
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

/** A resolved market has no book; the venue's text says so. */
function notReady({ market: { listing, resolution }, token }: NewOrder): string {
  if (resolution === null) return 'the market is not yet ready to process new orders';
  return `the orderbook ${listing.tokens[token]} does not exist`;
}

export function brokenTick(orderId: string, price: string, tickSize: string): VenueAError {
  return badOrder(`order ${orderId} is invalid. Price (${price}) breaks minimum tick size rule: ${tickSize}`);
}

/** Shares of a limit order have two decimals, its dollars those of the tick. A market order gives two and takes four. */
export function tooManyDecimals(type: OrderType, isBuy: boolean, market: VenueAMarket): VenueAError {
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

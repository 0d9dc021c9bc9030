// Prepares an order of venue A for sending: its market's terms, the limit of a market order, its amounts, and its signature. The venue is
// asked only for its description of the market and its book. Engine thread.

import { SECOND_MS } from '../../../core/domain/durations.ts';
import type { Level } from '../../../core/domain/market.ts';
import type { MicroDollars, MicroShares, Ticks } from '../../../core/domain/numbers.ts';
import { COST_PER_MICRO_DOLLAR, formatTicks } from '../../../core/domain/numbers.ts';
import type { Order, OrderErrorCode, OrderId } from '../../../core/domain/order.ts';
import { expiresAtOf, type Intent, isPostOnly, type VenueAOrderRequest } from '../../../core/domain/order-request.ts';
import { fail, ok, type Result, unreachable } from '../../../core/domain/result.ts';
import { type Soon, whenHere } from '../../../core/domain/soon.ts';
import type { FactsRefusal, PrepareRefusal } from '../../venue.ts';
import { ZERO_BYTES32 } from '../abi-words.ts';
import { readBookDocument } from '../book-document.ts';
import { type ChainId, exchangeOf } from '../exchanges.ts';
import type { AmountRefusal, AmountRules, OrderAmounts, TokenAmount } from '../order-amounts.ts';
import { isInRange, limitAmounts, marketAmounts, STATED_STEP } from '../order-amounts.ts';
import { protocolOf } from '../position-ids.ts';
import { BUY, SELL } from '../typed-data.ts';
import { EXPIRY_MARGIN_MS, type MarketTerms, type MarketTermsCache } from './market-terms.ts';
import { buildIntent, type OrderSigner, type OrderTimes, saltOf } from './order-body.ts';
import type { VenueApi } from './venue-api.ts';

/** A token's book, best levels first. */
interface TokenDepth {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** Returns the live book of a token, or null if no reliable one exists. Only then the book is read by REST. */
export type BookOf = (tokenId: string) => TokenDepth | null;

interface PreparationParts {
  readonly api: VenueApi;
  readonly terms: MarketTermsCache;
  readonly chainId: ChainId;
  readonly times: OrderTimes;
  readonly signer: OrderSigner;
  readonly bookOf: BookOf;
}

type Prepared<T> = Result<T, PrepareRefusal>;
type MarketOrder = Extract<VenueAOrderRequest, { readonly type: 'MARKET' }>;

export class Preparation {
  readonly #parts: PreparationParts;

  constructor(parts: PreparationParts) {
    this.#parts = parts;
  }

  /** Prepares an order. `worst` is the worst price that an order without a limit may need; null means any price. */
  prepare(
    { orderId }: Order,
    request: VenueAOrderRequest,
    idempotencyKey: string,
    worst: Ticks | null,
  ): Soon<Prepared<Intent>> {
    if (request.type === 'LIMIT') return this.#at(request.price, orderId, request, idempotencyKey);
    if (request.worstPrice !== null) return this.#at(request.worstPrice, orderId, request, idempotencyKey);
    return this.#atMarket(orderId, request, idempotencyKey, worst);
  }

  /** Prepares a market order without a limit, with the level of the book that the order needs as its limit. */
  async #atMarket(
    orderId: OrderId,
    request: MarketOrder,
    idempotencyKey: string,
    worst: Ticks | null,
  ): Promise<Prepared<Intent>> {
    const known = await this.#parts.terms.ofToken(request.tokenId);
    if (!known.ok) return fail(marketRefusal(known.error));
    const depth = await this.#depth(request);
    const limit = depth.ok ? limitFrom(request, depth.value) : depth;
    if (!limit.ok) return (await this.#closed(request)) ?? limit;
    if (worst !== null && isWorse(request, limit.value, worst))
      return fail(notFeasible(beyondText(limit.value, worst)));
    return this.#at(limit.value, orderId, request, idempotencyKey);
  }

  /** Prepares an order at a limit. If the known terms refuse the price, they are read again: the price may be on the grid by now. */
  #at(limit: Ticks, orderId: OrderId, request: VenueAOrderRequest, idempotencyKey: string): Soon<Prepared<Intent>> {
    const terms = this.#parts.terms.ofToken(request.tokenId, ({ rules }) => isOnTicks(limit, rules));
    return whenHere(terms, it =>
      it.ok ? this.#signed(orderId, request, idempotencyKey, limit, it.value) : fail(marketRefusal(it.error)),
    );
  }

  #signed(
    orderId: OrderId,
    request: VenueAOrderRequest,
    idempotencyKey: string,
    limit: Ticks,
    terms: MarketTerms,
  ): Prepared<Intent> {
    const { chainId, times, signer } = this.#parts;
    const amounts = amountsOf(request, limit, terms);
    if (!amounts.ok) return amounts;
    const order = {
      tokenId: request.tokenId,
      side: request.side === 'BUY' ? BUY : SELL,
      amounts: amounts.value,
      orderType: request.timeInForce,
      postOnly: isPostOnly(request),
      salt: saltOf(orderId),
      timestamp: times.of(idempotencyKey),
      builder: ZERO_BYTES32,
      expirationS: expirationOf(request),
    };
    const exchange = exchangeOf(protocolOf(request.tokenId), chainId, terms.isNegRisk);
    return ok(buildIntent(order, signer, exchange, orderId));
  }

  /**
   * Returns the refusal of a closed or paused market, whose book may be empty or gone. Returns null if the market is open, or its state is
   * unknown.
   */
  async #closed({ tokenId }: VenueAOrderRequest): Promise<Prepared<never> | null> {
    const found = await this.#parts.terms.ofToken(tokenId, () => false);
    const phase = found.ok ? found.value.phase : 'OPEN';
    if (phase === 'PAUSED') return fail(unavailable('the market is paused'));
    return phase === 'CLOSED'
      ? fail(refused('notFound', 'INVALID_ORDER', 'tokenId: the market takes no orders any more'))
      : null;
  }

  /** Returns the levels that the order can take. */
  async #depth({ tokenId, side }: MarketOrder): Promise<Prepared<Depth>> {
    const live = this.#parts.bookOf(tokenId);
    if (live !== null) return ok(side === 'BUY' ? live.asks : live.bids);
    const answer = await this.#parts.api.readPublic(`/book?token_id=${tokenId}`);
    const book = answer.ok ? readBookDocument(answer.value) : null;
    if (book === null) return fail(unavailable(answer.ok ? 'a book that cannot be read' : answer.error.message));
    // The venue sends levels worst first, so they are reversed.
    return ok((side === 'BUY' ? book.asks : book.bids).toReversed());
  }
}

function amountsOf(request: VenueAOrderRequest, price: Ticks, { rules }: MarketTerms): Prepared<OrderAmounts> {
  const side = request.side === 'BUY' ? BUY : SELL;
  const given = givenBy(request);
  const field = request.type === 'LIMIT' ? 'size' : 'amount';
  if (given % STATED_STEP !== 0) return fail(invalid(`${field}: must have at most 2 decimals`));
  if (!isOnTicks(price, rules)) {
    const name = request.type === 'LIMIT' ? 'price' : 'worstPrice';
    return fail(invalid(`${name}: must be a multiple of ${formatTicks(rules.tick)}, from it to 1 less it`));
  }
  const amounts =
    request.type === 'LIMIT'
      ? limitAmounts(side, price, request.size, rules)
      : marketAmounts(side, given as number as TokenAmount, price, rules);
  return amounts.ok ? amounts : fail(invalid(`${field}: ${WHY[amounts.error]}`));
}

/** Returns the expiry in Unix seconds, with the venue's margin. 0 means never. */
function expirationOf(request: VenueAOrderRequest): number {
  const expiresAt = expiresAtOf(request);
  return expiresAt === null ? 0 : (expiresAt + EXPIRY_MARGIN_MS) / SECOND_MS;
}

function isOnTicks(price: Ticks, rules: AmountRules): boolean {
  return isInRange(price, rules) && price % rules.tick === 0;
}

function givenBy(request: VenueAOrderRequest): MicroShares | MicroDollars {
  return 'dollars' in request ? request.dollars : request.size;
}

function limitFrom(request: MarketOrder, depth: Depth): Prepared<Ticks> {
  const reach: Reach | null =
    request.side === 'BUY' ? reachOfDollars(depth, request.dollars) : reachOfShares(depth, request.size);
  if (reach === null) return fail(notFeasible('the book has no order to trade with'));
  if (!reach.isEnough && request.timeInForce === 'FOK') return fail(notFeasible('the book is not deep enough for it'));
  return ok(reach.price);
}

function isWorse({ side }: MarketOrder, price: Ticks, worst: Ticks): boolean {
  return side === 'BUY' ? price > worst : price < worst;
}

function beyondText(price: Ticks, worst: Ticks): string {
  return `the book fills it up to ${formatTicks(price)} only, beyond the actor’s collar (${formatTicks(worst)})`;
}

const WHY: Readonly<Record<AmountRefusal, string>> = {
  'price-out-of-range': 'the price is out of range',
  'nothing-left': 'too little at this price',
  'price-lost': 'too little at this price: the venue takes 4 decimals, and so rounded it would be worth a worse price',
  'too-large': 'too much',
};

function marketRefusal(refusal: FactsRefusal): PrepareRefusal {
  switch (refusal.type) {
    case 'unknown-market':
      return refused('notFound', 'INVALID_ORDER', 'tokenId: venue A has no such market');
    case 'unavailable':
      return refused('unavailable', 'UNKNOWN', refusal.message);
    default:
      return unreachable(refusal);
  }
}

function invalid(message: string): PrepareRefusal {
  return refused('invalid', 'INVALID_ORDER', message);
}

function notFeasible(reason: string): PrepareRefusal {
  return refused('invalid', 'NOT_FEASIBLE', `amount: ${reason}`);
}

function unavailable(detail: string): PrepareRefusal {
  return refused('unavailable', 'UNKNOWN', `venue A: ${detail}`);
}

function refused(kind: PrepareRefusal['kind'], code: OrderErrorCode, message: string): PrepareRefusal {
  return { kind, error: { code, message }, message };
}

/** The levels that the order can take: asks for a buyer, bids for a seller, best first. */
type Depth = readonly Level[];

interface Reach {
  /** The price of the worst level that the order needs, or of the worst level in the book. */
  readonly price: Ticks;
  /** Whether the book holds the whole amount. */
  readonly isEnough: boolean;
}

/**
 * Returns the level at which the book, counted from its best level, holds the requested amount (contract §4.1). Returns null if the side
 * has no level.
 */
export function reachOfDollars(depth: Depth, dollars: MicroDollars): Reach | null {
  const wanted = BigInt(dollars) * COST_PER_MICRO_DOLLAR;
  return reach(depth, wanted, ({ price, size }) => BigInt(price) * BigInt(size));
}

export function reachOfShares(depth: Depth, shares: MicroShares): Reach | null {
  return reach(depth, BigInt(shares), ({ size }) => BigInt(size));
}

function reach(depth: Depth, wanted: bigint, worth: (level: Level) => bigint): Reach | null {
  let found = 0n;
  for (const level of depth) {
    found += worth(level);
    if (found >= wanted) return { price: level.price, isEnough: true };
  }
  const worst = depth.at(-1);
  return worst === undefined ? null : { price: worst.price, isEnough: false };
}

// Binary form of the outcome channel's messages; protobuf.ts has the others. Main thread, and clients.

import { BOOK_STATES } from '../domain/market.ts';
import { type MicroDollars, type MicroShares, TICKS_PER_DOLLAR, type Ticks } from '../domain/numbers.ts';
import { FieldError, readOneOf, readUint64 } from './fields.ts';
import {
  OUTCOME,
  type OutcomeMessage,
  type OutcomeRejection,
  type OutcomesAcknowledgement,
  type OutcomesMessage,
  REJECTION_CODES,
  ROUTE_PROBLEMS,
  type Route,
  type RouteQuote,
} from './messages.ts';
import { readMarket, readState, renderMarket } from './protobuf-parts.ts';
import type {
  WireAcknowledgement,
  WireClientMessage,
  WireOutcomeRejection,
  WireOutcomes,
  WireRoute,
  WireRouteQuote,
  Written,
} from './protobuf-types.generated.ts';

export const CHANNEL_OUTCOME = 5;

export function renderOutcomesRequest({
  op,
  id,
  catalogMarkets,
  minIntervalMs,
}: OutcomesMessage): Written<WireClientMessage> {
  const options = minIntervalMs === undefined ? {} : { minIntervalMs };
  return { id, [op]: { channel: CHANNEL_OUTCOME, catalogMarkets, ...options } };
}

export function renderOutcomesAcknowledgement({
  id,
  accepted,
  rejected,
}: OutcomesAcknowledgement): Written<WireAcknowledgement> {
  return { id, channel: CHANNEL_OUTCOME, acceptedCatalogMarkets: accepted, rejectedCatalogMarkets: rejected };
}

export function renderOutcomes(message: OutcomeMessage): Written<WireOutcomes> {
  const { catalogMarket, outcomes, omitted, notes } = message;
  return {
    catalogMarket,
    outcomes: outcomes.map(({ name, buy, sell }) => ({
      name,
      buy: buy === null ? null : renderQuote(buy),
      sell: sell === null ? null : renderQuote(sell),
    })),
    omitted: omitted.map(({ route, why }) => ({ route: renderRoute(route), why })),
    notes,
  };
}

function renderQuote({ route, ...quote }: RouteQuote): Written<WireRouteQuote> {
  return {
    route: renderRoute(route),
    priceTicks: quote.price,
    feeMicros: quote.fee,
    netPriceMicros: quote.netPrice,
    sizeMicros: quote.size,
    state: BOOK_STATES.indexOf(quote.state) + 1,
    ageMs: quote.ageMs,
  };
}

function renderRoute({ market, side }: Route): Written<WireRoute> {
  return { market: renderMarket(market), ...(side === null ? {} : { side }) };
}

export function readOutcomesAcknowledgement(
  type: OutcomesAcknowledgement['type'],
  { id, acceptedCatalogMarkets, rejectedCatalogMarkets }: WireAcknowledgement,
): OutcomesAcknowledgement {
  const rejected = rejectedCatalogMarkets.map(readOutcomeRejection);
  return { type, id, channel: OUTCOME, accepted: acceptedCatalogMarkets, rejected };
}

export function readOutcomeRejection({ catalogMarket, code, message }: WireOutcomeRejection): OutcomeRejection {
  return { catalogMarket, code: readOneOf(code, 'rejected.code', REJECTION_CODES), message };
}

export function readOutcomes({ catalogMarket, outcomes, omitted, notes }: WireOutcomes): OutcomeMessage {
  return {
    type: 'outcome',
    catalogMarket,
    outcomes: outcomes.map(({ name, buy, sell }) => ({
      name,
      buy: buy === null ? null : readQuote(buy),
      sell: sell === null ? null : readQuote(sell),
    })),
    omitted: omitted.map(({ route, why }) => ({
      route: readRoute(route),
      why: readOneOf(why, 'omitted.why', ROUTE_PROBLEMS),
    })),
    notes,
  };
}

function readQuote(wire: WireRouteQuote): RouteQuote {
  if (wire.priceTicks > TICKS_PER_DOLLAR) throw new FieldError('price_ticks', `must be at most ${TICKS_PER_DOLLAR}`);
  return {
    route: readRoute(wire.route),
    price: wire.priceTicks as Ticks,
    fee: readUint64(wire.feeMicros) as MicroDollars,
    netPrice: wire.netPriceMicros as MicroDollars,
    size: readUint64(wire.sizeMicros) as MicroShares,
    state: readState(wire.state),
    ageMs: readUint64(wire.ageMs),
  };
}

function readRoute(wire: WireRoute | null): Route {
  if (wire === null) throw new FieldError('route', 'must be a route');
  return {
    market: readMarket(wire.market),
    side: wire.side === null ? null : readOneOf(wire.side, 'side', ['YES', 'NO']),
  };
}

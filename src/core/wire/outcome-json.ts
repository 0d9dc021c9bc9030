// JSON form of the outcome channel's messages, and of the same in answers of REST; json.ts has the others. Main thread, and clients.

import { BOOK_STATES, marketKey } from '../domain/market.ts';
import {
  formatMicroDollars,
  formatMicroShares,
  formatTicks,
  type MicroDollars,
  type MicroShares,
  parseMicroShares,
  parseTicks,
} from '../domain/numbers.ts';
import { FieldError, type Fields, readArray, readCount, readObject, readOneOf, readString } from './fields.ts';
import {
  type OmittedRoute,
  OUTCOME,
  type OutcomeMessage,
  type OutcomeQuote,
  type OutcomeRejection,
  type OutcomesAcknowledgement,
  REJECTION_CODES,
  ROUTE_PROBLEMS,
  type Route,
  type RouteQuote,
} from './messages.ts';

export function renderOutcome({ type, catalogMarket, ...market }: OutcomeMessage): object {
  return { type, channel: OUTCOME, catalogMarket, ...renderBestRoutes(market) };
}

export function renderBestRoutes({ outcomes, omitted, notes }: Omit<OutcomeMessage, 'type' | 'catalogMarket'>): object {
  return {
    outcomes: outcomes.map(({ name, buy, sell }) => ({ name, buy: renderQuote(buy), sell: renderQuote(sell) })),
    omitted: omitted.map(({ route, why }) => ({ ...renderRoute(route), why })),
    notes,
  };
}

function renderQuote(quote: RouteQuote | null): object | null {
  if (quote === null) return null;
  const { route, price, fee, netPrice, size, state, ageMs } = quote;
  return {
    ...renderRoute(route),
    price: formatTicks(price),
    fee: formatMicroDollars(fee),
    netPrice: formatMicroDollars(netPrice),
    size: formatMicroShares(size),
    state,
    ageMs,
  };
}

/** The route in the form of a catalog's listing. */
function renderRoute({ market, side }: Route): object {
  if (market.venue === 'venue_a') return { venue: 'VENUE_A', tokenId: market.tokenId };
  return { venue: 'VENUE_B', ticker: market.ticker, side };
}

export function readOutcome(fields: Fields): OutcomeMessage {
  return {
    type: 'outcome',
    catalogMarket: readString(fields.catalogMarket, 'catalogMarket'),
    outcomes: readArray(fields.outcomes, 'outcomes').map(readOutcomeQuote),
    omitted: readArray(fields.omitted, 'omitted').map(readOmitted),
    notes: readArray(fields.notes, 'notes').map(note => readString(note, 'notes')),
  };
}

function readOutcomeQuote(value: unknown): OutcomeQuote {
  const { name, buy, sell } = readObject(value, 'outcomes');
  return { name: readString(name, 'outcomes.name'), buy: readQuote(buy), sell: readQuote(sell) };
}

function readQuote(value: unknown): RouteQuote | null {
  if (value === null) return null;
  const fields = readObject(value, 'outcomes.buy');
  const price = parseTicks(readString(fields.price, 'price'));
  if (price === null) throw new FieldError('price', 'must be a decimal from 0 to 1 with at most 4 decimals');
  return {
    route: readRoute(fields),
    price,
    fee: readMicros(fields.fee, 'fee') as number as MicroDollars,
    netPrice: readMicros(fields.netPrice, 'netPrice') as number as MicroDollars,
    size: readMicros(fields.size, 'size'),
    state: readOneOf(fields.state, 'state', BOOK_STATES),
    ageMs: readCount(fields.ageMs, 'ageMs'),
  };
}

function readMicros(value: unknown, path: string): MicroShares {
  const micros = parseMicroShares(readString(value, path).replace(/^-/, ''));
  if (micros === null) throw new FieldError(path, 'must be a decimal with at most 6 decimals');
  return (String(value).startsWith('-') ? -micros : micros) as MicroShares;
}

function readOmitted(value: unknown): OmittedRoute {
  const fields = readObject(value, 'omitted');
  return { route: readRoute(fields), why: readOneOf(fields.why, 'omitted.why', ROUTE_PROBLEMS) };
}

function readRoute(fields: Fields): Route {
  const venue = readOneOf(fields.venue, 'venue', ['VENUE_A', 'VENUE_B']);
  if (venue === 'VENUE_A') return { market: marketKey('venue_a', readString(fields.tokenId, 'tokenId')), side: null };
  const side = readOneOf(fields.side, 'side', ['YES', 'NO']);
  return { market: marketKey('venue_b', readString(fields.ticker, 'ticker')), side };
}

/** The lists of markets are there as on every channel, and empty. */
export function renderOutcomesAcknowledgement({ accepted, rejected, ...rest }: OutcomesAcknowledgement): object {
  const lists = { acceptedCatalogMarkets: accepted, rejectedCatalogMarkets: rejected };
  return { ...rest, accepted: [], rejected: [], ...lists };
}

export function readOutcomesAcknowledgement(
  type: OutcomesAcknowledgement['type'],
  fields: Fields,
): OutcomesAcknowledgement {
  const { id, acceptedCatalogMarkets: accepted, rejectedCatalogMarkets: rejected } = fields;
  return {
    type,
    id: readString(id, 'id'),
    channel: OUTCOME,
    accepted: readArray(accepted, 'acceptedCatalogMarkets').map(it => readString(it, 'acceptedCatalogMarkets')),
    rejected: readArray(rejected, 'rejectedCatalogMarkets').map(readRejection),
  };
}

/** The rejections of an error; nothing if the error does not concern the channel outcome. */
export function readOutcomeRejections({ rejectedCatalogMarkets: rejected }: Fields): {
  readonly rejectedCatalogMarkets?: readonly OutcomeRejection[];
} {
  if (rejected === undefined) return {};
  return { rejectedCatalogMarkets: readArray(rejected, 'rejectedCatalogMarkets').map(readRejection) };
}

function readRejection(value: unknown): OutcomeRejection {
  const fields = readObject(value, 'rejected');
  return {
    catalogMarket: readString(fields.catalogMarket, 'rejected.catalogMarket'),
    code: readOneOf(fields.code, 'rejected.code', REJECTION_CODES),
    message: readString(fields.message, 'rejected.message'),
  };
}

// Listings for markets that are known only from recorded frames. They have the facts of the frames, and plain assumptions for everything
// else. The markets do not close while the recording plays, even if their games start. Pure.

import { DAY_MS } from '../../core/domain/durations.ts';
import { objectsOf, textOf } from '../../core/domain/json.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import { dateOfCompact, easternInstant } from '../catalog/eastern-time.ts';
import { hashOf, numberOf, tokenOf, uuidOf } from '../catalog/identity.ts';
import type {
  Catalog,
  Game,
  Question,
  VenueAEventListing,
  VenueASport,
  VenueBEventListing,
  VenueBMarketListing,
  VenueBSeries,
} from '../catalog/listings.ts';
import { DECI_CENT, LINEAR_CENT } from '../catalog/venue-b-listings.ts';
import { messagesOf, type RecordedFrame, stepsOf } from './recorded-frames.ts';

interface RecordedCatalogOptions {
  readonly now: UnixMillis;
  /**
   * The tokens of venue A's conditions, the first token first, if known. Otherwise the token that appears first counts as the first one.
   */
  readonly tokensByCondition?: ReadonlyMap<string, readonly [string, string]>;
}

/** The league of the recorded games. */
export const RECORDED = 'recorded';
const YEAR_MS = 365 * DAY_MS;
export const CENT = 100;
const SPORT: VenueASport = {
  id: 0,
  sport: 'recorded',
  name: 'Recorded',
  series: '0',
  ordering: 'home',
  tags: ['1'],
  primaryTagId: '1',
  resolution: '',
};

export function recordedCatalog(frames: readonly RecordedFrame[], options: RecordedCatalogOptions): Catalog {
  const of = (venue: RecordedFrame['venue']) => frames.filter(frame => frame.venue === venue);
  const fine = finePrices(frames);
  const tickers = new Set(
    of('venue_b')
      .flatMap(bookStepsOf)
      .map(({ address }) => address),
  );
  return catalogOf(conditionsOf(of('venue_a'), options), tickers, fine, options.now);
}

/** Makes the listings for conditions with their tokens, and for tickers. `fine` has the addresses that need prices between whole cents. */
export function catalogOf(
  conditions: Iterable<readonly [conditionId: string, tokens: readonly [string, string]]>,
  tickers: Iterable<string>,
  fine: ReadonlySet<string>,
  now: UnixMillis,
): Catalog {
  const eventsA = [...conditions].map(([conditionId, tokens]) => venueAEvent(conditionId, tokens, fine, now));
  const eventsB = venueBEvents([...tickers].sort(), fine, now);
  const series = new Map(eventsB.map(event => [event.series.ticker, event.series]));
  const markets = [...eventsA, ...eventsB].flatMap(({ game, markets: own }) => own.map(market => ({ game, market })));
  return {
    games: [...eventsA, ...eventsB].map(({ game }) => game),
    questions: markets.map(
      ({ game, market }): Question => ({
        id: market.pricedBy.question,
        game: game.id,
        statement: { kind: 'wins', team: 'home' },
      }),
    ),
    venueA: { sports: eventsA.length > 0 ? [SPORT] : [], events: eventsA },
    venueB: { series: [...series.values()], events: eventsB },
  };
}

function venueBEvents(tickers: readonly string[], fine: ReadonlySet<string>, now: UnixMillis): VenueBEventListing[] {
  return [...Map.groupBy(tickers, ticker => ticker.split('-').slice(0, 2).join('-'))].map(([eventTicker, own]) => {
    const seriesTicker = eventTicker.split('-')[0]!;
    return {
      eventTicker,
      series: seriesOf(seriesTicker),
      title: eventTicker,
      subTitle: '',
      // The venue may list more markets together than were recorded.
      isMutuallyExclusive: false,
      game: gameOf(eventTicker, startOf(eventTicker) ?? nextYear(now)),
      competition: 'Recorded',
      scope: 'Games',
      markets: own.map(ticker => venueBMarket(ticker, eventTicker, now, fine.has(ticker))),
    };
  });
}

function venueBMarket(ticker: string, eventTicker: string, now: UnixMillis, isFine: boolean): VenueBMarketListing {
  const subTitle = ticker.slice(ticker.lastIndexOf('-') + 1);
  return {
    ticker,
    marketId: uuidOf('venue-b market', ticker),
    eventTicker,
    title: ticker,
    yesSubTitle: subTitle,
    noSubTitle: subTitle,
    grid: isFine ? DECI_CENT : LINEAR_CENT,
    createdAt: (now - DAY_MS) as UnixMillis,
    openAt: (now - DAY_MS) as UnixMillis,
    closeAt: nextYear(now),
    expectedExpirationAt: nextYear(now),
    strike: { type: 'structured' },
    rulesPrimary: `If ${subTitle} wins, then the market resolves to Yes.`,
    rulesSecondary: 'A recorded market: its books are played, its outcome is not known.',
    pricedBy: { question: ticker, isComplement: false },
  };
}

function seriesOf(ticker: string): VenueBSeries {
  return {
    ticker,
    title: ticker,
    category: 'Sports',
    tags: [],
    frequency: 'custom',
    feeType: 'quadratic',
    feeMultiplier: '1',
  };
}

function conditionsOf(
  frames: readonly RecordedFrame[],
  { tokensByCondition = new Map() }: RecordedCatalogOptions,
): (readonly [string, readonly [string, string]])[] {
  return [...tokensOf(frames)].map(([conditionId, heard]) => {
    const [first = '', second] = tokensByCondition.get(conditionId) ?? heard;
    return [conditionId, [first, second ?? tokenOf('venue-a token', slugOf(conditionId), '1')]];
  });
}

function slugOf(conditionId: string): string {
  return `recorded-${conditionId.slice(2, 12)}`;
}

function venueAEvent(
  conditionId: string,
  [first, second]: readonly [string, string],
  fine: ReadonlySet<string>,
  now: UnixMillis,
): VenueAEventListing {
  const slug = slugOf(conditionId);
  const isFine = fine.has(first) || fine.has(second);
  return {
    id: String(numberOf(9, 'venue-a event', slug)),
    slug,
    title: slug,
    sport: SPORT,
    tags: [{ id: '1', label: 'Sports', slug: 'sports' }],
    game: gameOf(slug, nextYear(now)),
    gameId: numberOf(8, 'venue-a game', slug),
    negRiskMarketId: null,
    markets: [
      {
        id: String(numberOf(9, 'venue-a market', slug)),
        question: slug,
        slug,
        conditionId,
        questionId: hashOf('venue-a question', slug),
        outcomes: ['Yes', 'No'],
        tokens: [first, second],
        sportsMarketType: 'moneyline',
        line: null,
        groupItemTitle: '',
        tickSize: isFine ? '0.001' : '0.01',
        minOrderSize: '5',
        isNegRisk: false,
        takerDelayS: 0,
        clearsBookOnStart: false,
        fees: { rate: '0.05', exponent: 1 },
        createdAt: (now - DAY_MS) as UnixMillis,
        endAt: nextYear(now),
        pricedBy: { question: conditionId, isComplement: false },
      },
    ],
  };
}

/** Returns the tokens of each condition, in order of appearance. */
function tokensOf(frames: readonly RecordedFrame[]): Map<string, string[]> {
  const tokens = new Map<string, string[]>();
  for (const message of frames.flatMap(messagesOf)) {
    const condition = textOf(message.market);
    const heard = [message, ...objectsOf(message.price_changes)].map(it => textOf(it.asset_id)).filter(it => it !== '');
    if (condition !== '') tokens.set(condition, [...new Set([...(tokens.get(condition) ?? []), ...heard])].slice(0, 2));
  }
  return tokens;
}

/** Returns the steps of a frame that concern books. A trade alone makes no market, and its price may be an average. */
function bookStepsOf(frame: RecordedFrame) {
  return stepsOf(frame).flatMap(step => (step.type === 'trade' ? [] : [step]));
}

/** Returns the addresses with a price between whole cents. */
function finePrices(frames: readonly RecordedFrame[]): Set<string> {
  const fine = new Set<string>();
  for (const step of frames.flatMap(bookStepsOf)) {
    const prices = step.type === 'book' ? [...step.bids, ...step.asks].map(({ price }) => price) : [step.price];
    if (prices.some(price => price % CENT !== 0)) fine.add(step.address);
  }
  return fine;
}

/** The clock that is assumed for tickers with a day but without a clock. */
const USUAL_CLOCK = '1900';

/** Reads the start from a ticker such as `KXMLBGAME-26AUG072145TBSEA`. */
function startOf(eventTicker: string): UnixMillis | null {
  const [, day = '', clock] = /-(\d\d[A-Z]{3}\d\d)(\d{4})?[A-Z]/.exec(eventTicker) ?? [];
  const date = dateOfCompact(day);
  const at = date === null ? Number.NaN : easternInstant(date, clock ?? USUAL_CLOCK);
  return Number.isNaN(at) ? null : (at as UnixMillis);
}

function nextYear(now: UnixMillis): UnixMillis {
  return (now + YEAR_MS) as UnixMillis;
}

function gameOf(id: string, startsAt: UnixMillis): Game {
  const team = (word: string) => ({ code: word, name: word, place: word, nickname: word });
  return {
    id,
    league: RECORDED,
    home: team('YES'),
    away: team('NO'),
    startsAt,
    lengthMs: DAY_MS,
    strength: { home: 1, away: 1, deviation: 1 },
  };
}

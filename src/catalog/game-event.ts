// A game of one venue or two as an event of the catalog, with its markets. Pure.

import { isoMillisOf } from '../domain/iso-time.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import type { CatalogEvent } from './catalog.ts';
import { type CatalogMarket, ownMarket } from './catalog-market.ts';
import type { EventIds } from './matching/event-ids.ts';
import { type Game, type GameMarkets, other, type Side, sideWithId, turned } from './matching/game.ts';
import { marketsOf } from './matching/game-markets.ts';
import type { Pairing } from './matching/pair-games.ts';

export interface EventWithMarkets {
  readonly event: CatalogEvent;
  readonly markets: readonly CatalogMarket[];
}

const NOTHING: GameMarkets = { claims: [], others: [] };

/** The venues' names of it. */
export function keysOf({ a, b }: Pairing): readonly string[] {
  return [a, b].filter(game => game !== null).map(({ key }) => key);
}

/** What it is called for good if it has no id yet. */
export function idWanted({ a, b }: Pairing): string {
  const { competition, opponents, date } = a ?? b!;
  return `${competition.id}-${opponents.map(it => it.id).join('-')}-${date}`;
}

/**
 * The side that lines and outcomes begin with: who is at home where the event is seen first, and kept with its id. Which venue lists it
 * changes, and who is at home by what those say; what `…:spread:-4.5` is does not. Kept anew where a venue has corrected who plays.
 */
export function firstSide({ a, b }: Pairing, id: string, ids: EventIds): Side {
  const game = a ?? b!;
  const kept = ids.firstOf(id);
  const known = kept === null ? null : sideWithId(game, kept);
  if (known !== null) return known;
  const first = game.home ?? 0;
  ids.keepFirst(id, game.opponents[first].id);
  return first;
}

export function gameEvent(pairing: Pairing, id: string, first: Side): EventWithMarkets {
  const { a, b, bSideOfFirst, claimsOfC, confidence, evidence } = pairing;
  // Venue A has whole names, start times and, at times, says who is at home.
  const game = a ?? b!;
  const { competition } = game;
  const names = [nameOfSide(pairing, 0), nameOfSide(pairing, 1)] as const;
  const sides = competition.isHomeFirst ? [first, other(first)] : [other(first), first];
  const name = sides.map(side => names[side]).join(competition.isHomeFirst ? ' vs ' : ' at ');
  const [firstRole, otherRole] =
    game.home === null ? (['COMPETITOR', 'COMPETITOR'] as const) : (['HOME', 'AWAY'] as const);
  const events = [a, b].flatMap(it => it?.events ?? []);
  const otherWords = [...new Set(events.map(({ title }) => title))];
  const [ofA, ofB] = [a?.read() ?? NOTHING, b?.read() ?? NOTHING];
  const claims = [
    ...ofA.claims,
    ...ofB.claims.map(claim => (bSideOfFirst === 0 ? claim : turned(claim))),
    ...claimsOfC,
  ];
  const markets = events.flatMap(it => it.markets);
  return {
    event: {
      id,
      name,
      sport: competition.sport.id,
      competition: competition.id,
      startsAt: startOf(pairing),
      isOver: markets.length > 0 && markets.every(({ phase }) => phase === 'OVER'),
      participants: sides.map(side => ({ name: names[side], role: side === first ? firstRole : otherRole })),
      matching: { keys: keysOf(pairing), confidence, evidence },
    },
    markets: [
      ...marketsOf({ eventId: id, competition, name, names, first, claims, otherWords }),
      ...[...ofA.others, ...ofB.others].map(market => ownMarket(market, id, otherWords)),
    ],
  };
}

/** As venue A has it, if it has: venue B may have a surname only. */
function nameOfSide({ a, b, bSideOfFirst }: Pairing, side: Side): string {
  return a?.opponents[side].name ?? b!.opponents[bSideOfFirst === 0 ? side : other(side)].name;
}

/** Where nobody has said it: when it is expected to be over, or the end of its day. */
export function startOf({ a, b }: Pairing): UnixMillis {
  const game = a ?? b!;
  return game.startsAt ?? b?.startsAt ?? expectedAt(game) ?? (isoMillisOf(`${game.date}T23:59:59Z`) as UnixMillis);
}

function expectedAt({ events }: Game): UnixMillis | null {
  const market = events.flatMap(({ markets }) => markets).find(({ occursAt }) => occursAt !== null);
  return market?.occursAt ?? null;
}

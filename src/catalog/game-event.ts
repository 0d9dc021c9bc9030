// Converts a game of one venue or both to an event of the catalog with its markets. Pure.

import { isoMillisOf } from '../core/domain/iso-time.ts';
import type { UnixMillis } from '../core/domain/numbers.ts';
import { type CatalogEvent, type CatalogMarket, ownMarket } from './catalog.ts';
import type { EventIds } from './matching/event-ids.ts';
import { type Game, type GameMarkets, other, type Side, sideWithId, turned } from './matching/game.ts';
import { marketsOf } from './matching/game-markets.ts';
import type { Pairing } from './matching/pair-evidence.ts';

export interface EventWithMarkets {
  readonly event: CatalogEvent;
  readonly markets: readonly CatalogMarket[];
}

const NOTHING: GameMarkets = { claims: [], others: [] };

/** The venues' names of the game. */
export function keysOf({ a, b }: Pairing): readonly string[] {
  return [a, b].filter(game => game !== null).map(({ key }) => key);
}

/** The permanent id, if the game has none yet. */
export function idWanted({ a, b }: Pairing): string {
  const { competition, opponents, date } = a ?? b!;
  return `${competition.id}-${opponents.map(it => it.id).join('-')}-${date}`;
}

/**
 * The side with which lines and outcomes begin: the home side when the event is first seen. The id keeps it: the listing venues and their
 * home side may change, but the meaning of `…:spread:-4.5` may not. Only a correction of the opponents sets it again.
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
  // Venue A has full names, start times and, at times, the home side.
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

/** Venue A's name if it has one: venue B may have a surname only. */
function nameOfSide({ a, b, bSideOfFirst }: Pairing, side: Side): string {
  return a?.opponents[side].name ?? b!.opponents[bSideOfFirst === 0 ? side : other(side)].name;
}

/** If no venue states the start: the expected end, or the end of the game's day. */
export function startOf({ a, b }: Pairing): UnixMillis {
  const game = a ?? b!;
  return game.startsAt ?? b?.startsAt ?? expectedAt(game) ?? (isoMillisOf(`${game.date}T23:59:59Z`) as UnixMillis);
}

function expectedAt({ events }: Game): UnixMillis | null {
  const market = events.flatMap(({ markets }) => markets).find(({ occursAt }) => occursAt !== null);
  return market?.occursAt ?? null;
}

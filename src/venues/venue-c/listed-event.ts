// One event of venue C and one of its markets (venues-c-d-e.md §1), as the catalog has them. What it offers is in American odds, which
// are no prices here and are not read. Pure.

import { isObject, type JsonObject } from '../../domain/json.ts';
import type { OutcomeRoute, VenueEvent, VenueMarket, VenueOutcome } from '../discovery.ts';
import { decimalOf, nameOf, timeOf, wordOf } from '../discovery-fields.ts';

interface StrikeOutcome extends VenueOutcome {
  readonly route: Extract<OutcomeRoute, { readonly venue: 'venue_c' }>;
}

const EVENT_ID = /^\d{1,15}$/;
/** It is written into answers and taken as it is. */
const STRIKE_ID = /^[\w-]{1,64}$/;
/** Of an event whose markets are worth a look. */
const LISTED: readonly string[] = ['not_started', 'scheduled', 'live'];

/** Without its markets, which are asked for by its id. Null: it is over, or in a state that nobody has described. */
export function readVenueCEvent(value: JsonObject): VenueEvent | null | 'malformed' {
  const [eventId, title, startsAt] = [wordOf(value.event_id), nameOf(value.name), timeOf(value.scheduled)];
  if (!EVENT_ID.test(eventId) || title === null || startsAt === null) return 'malformed';
  if (!LISTED.includes(wordOf(value.status))) return null;
  return {
    venue: 'venue_c',
    eventId,
    title,
    subTitle: '',
    seriesId: '',
    competition: wordOf(value.tournament_name),
    scope: '',
    startsAt,
    gameId: '',
    teams: [],
    markets: [],
  };
}

/** Null: there is nothing to trade in it. Older words, `line` for `strike`, mean the same. */
export function readVenueCMarket(
  value: JsonObject,
  { eventId, startsAt }: VenueEvent,
): VenueMarket | null | 'malformed' {
  const [id, title] = [wordOf(value.id), nameOf(value.name) ?? nameOf(value.display_name)];
  if (id === '' || title === null) return 'malformed';
  // One that does not say its state is open: the documented one does not.
  const isListed = value.status === undefined || value.status === 'active';
  if (!isListed || value.selections === null || value.selections === undefined) return null;
  const outcomes = outcomesOf(value.selections);
  if (outcomes === null) return 'malformed';
  const [first] = outcomes;
  if (first === undefined) return null;
  return {
    // Its number is that of a kind of question, which an event may ask several times.
    marketId: `${eventId}/${id}/${first.route.strikeId}`,
    title,
    outcomes,
    phase: 'OPEN',
    opensAt: null,
    closesAt: null,
    label: wordOf(value.display_name),
    kind: wordOf(value.type),
    line: decimalOf(value.strike ?? value.line),
    occursAt: startsAt,
  };
}

/** Of selections in one list or in one for each side, where what is listed again is another price. Null: malformed. */
function outcomesOf(selections: unknown): readonly StrikeOutcome[] | null {
  if (!Array.isArray(selections)) return null;
  const names = new Map<string, string>();
  for (const selection of selections.flat()) {
    // A side without an offer.
    if (selection === null) continue;
    if (!isObject(selection)) return null;
    const strikeId = selection.strike_id ?? selection.line_id ?? '';
    if (strikeId === '') continue;
    const name = nameOf(selection.name) ?? nameOf(selection.display_name);
    if (typeof strikeId !== 'string' || !STRIKE_ID.test(strikeId) || name === null) return null;
    if ((names.get(strikeId) ?? name) !== name) return null;
    names.set(strikeId, name);
  }
  return [...names].map(([strikeId, name]) => ({ name, route: { venue: 'venue_c', strikeId } }));
}

// One event of venue C and one of its markets (venues-c-d-e.md §1), for the catalog. Its offers are American odds, which are no prices
// here and are not read. Pure.

import { isObject, type JsonObject } from '../../domain/json.ts';
import type { OutcomeRoute, VenueEvent, VenueMarket, VenueOutcome } from '../discovery.ts';
import { decimalOf, nameOf, timeOf, wordOf } from '../discovery-fields.ts';

interface StrikeOutcome extends VenueOutcome {
  readonly route: Extract<OutcomeRoute, { readonly venue: 'venue_c' }>;
}

const EVENT_ID = /^\d{1,15}$/;
/** Answers contain this text unchanged. */
const STRIKE_ID = /^[\w-]{1,64}$/;
/** States of an event whose markets are worth reading. */
const LISTED: readonly string[] = ['not_started', 'scheduled', 'live'];

/** Without its markets, which are read by its id. Null: it is over, or its state is undocumented. */
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

/** Null: it has nothing to trade. The older field `line` means the same as `strike`. */
export function readVenueCMarket(
  value: JsonObject,
  { eventId, startsAt }: VenueEvent,
): VenueMarket | null | 'malformed' {
  const [id, title] = [wordOf(value.id), nameOf(value.name) ?? nameOf(value.display_name)];
  if (id === '' || title === null) return 'malformed';
  // A market without a state is open: the documented one has none.
  const isListed = value.status === undefined || value.status === 'active';
  if (!isListed || value.selections === null || value.selections === undefined) return null;
  const outcomes = outcomesOf(value.selections);
  if (outcomes === null) return 'malformed';
  const [first] = outcomes;
  if (first === undefined) return null;
  return {
    // Its number identifies a kind of question, which an event may ask several times.
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

/** Selections come in one list or in one per side; a repeated selection is another price. Null: malformed. */
function outcomesOf(selections: unknown): readonly StrikeOutcome[] | null {
  if (!Array.isArray(selections)) return null;
  const names = new Map<string, string>();
  for (const selection of selections.flat()) {
    // This side has no offer.
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

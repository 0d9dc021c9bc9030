// Venues and their markets over HTTP. Venues: pause, resume, clock, stale reads, slow settlement, cutting streams. Markets: pause, close,
// settle, change the tick size. Thread of the paper exchanges.

import { VENUES, type Venue } from '../../core/domain/market.ts';
import { ok } from '../../core/domain/result.ts';
import { limits } from '../../limits.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import {
  answer,
  bodyOf,
  type ControlParts,
  type ControlRoute,
  type NamedVenue,
  nothing,
  onVenue,
  route,
  type VenueControl,
  venueOf,
} from './control-route.ts';
import { objectOf, optional, type Reader, text, wholeNumber } from './json-readers.ts';
import { type Outcome, refused } from './outcome.ts';
import { VenueAControl } from './venue-a-control.ts';
import { VenueBControl } from './venue-b-control.ts';

const name = text(1, limits.paperFaultTextCharactersMax);
const readPause = objectOf({ mode: optional(name, null) });
const readClock = objectOf({ skewMs: wholeNumber(-limits.paperFaultMs, limits.paperFaultMs) });
const readStale = objectOf({ staleMs: wholeNumber(0, limits.paperStaleMsMax) });
const readSettlement = objectOf({ delayMs: optional(wholeNumber(0, limits.paperFaultMs), null) });
const readDisconnect = objectOf({ key: optional(text(0, limits.paperFaultTextCharactersMax), null) });

export const VENUE_ROUTES: readonly ControlRoute[] = [
  route('get', '/', ({ parts }) => ok(everything(parts))),
  route('get', '/venues/:venue', call => answer(venueOf(call), ({ venue }) => stateOf(call.parts, venue))),
  changing('post', '/pause', readPause, ({ mode }, { control }) => control.pause(mode)),
  changing('post', '/resume', nothing, (_body, { control }) => ok(control.resume())),
  changing('put', '/clock', readClock, ({ skewMs }, { venue }, { plan }) => ok(plan.setSkewMs(venue, skewMs))),
  changing('put', '/reads', readStale, ({ staleMs }, { venue }, { plan }) => ok(plan.setStaleMs(venue, staleMs))),
  changing('put', '/reads/:key', readStale, ({ staleMs }, { venue }, { plan }, key) =>
    setStaleMsOfKey(plan, venue, key, staleMs),
  ),
  changing('delete', '/reads/:key', nothing, (_body, { venue }, { plan }, key) =>
    setStaleMsOfKey(plan, venue, key, null),
  ),
  changing('put', '/settlement', readSettlement, ({ delayMs }, { venue }, { plan }) =>
    ok(plan.setSettlementDelayMs(venue, delayMs)),
  ),
  route('post', '/venues/:venue/disconnect', call =>
    onVenue(call, readDisconnect, ({ control }, { key }) => ok({ streams: control.disconnect(key) })),
  ),
  route('delete', '/conditions', call =>
    answer(bodyOf(call, nothing), () => {
      call.parts.plan.resetConditions();
      return everything(call.parts);
    }),
  ),
];

/** Performs an operation on a venue; answers its new state. */
function changing<Body>(
  method: ControlRoute['method'],
  path: string,
  reader: Reader<Body>,
  change: (body: Body, named: NamedVenue, parts: ControlParts, key: unknown) => Outcome<void>,
): ControlRoute {
  return route(method, `/venues/:venue${path}`, call =>
    onVenue(call, reader, (named, body) => {
      const { parts, parameters } = call;
      return answer(change(body, named, parts, parameters[1]), () => stateOf(parts, named.venue));
    }),
  );
}

function setStaleMsOfKey(plan: FaultPlan, venue: Venue, named: unknown, staleMs: number | null): Outcome<void> {
  const key = name(named, 'key');
  if (!key.ok) return refused(400, key.error);
  if (plan.setStaleMsOfKey(venue, key.value, staleMs)) return ok(undefined);
  return refused(409, `key: at most ${limits.paperStaleKeysMax} have reads of their own (paperStaleKeysMax)`);
}

function everything(parts: ControlParts): object {
  const { urls, seed, timers, plan } = parts;
  const venues = Object.fromEntries(VENUES.map(venue => [venue, stateOf(parts, venue)]));
  const faults = { seed: plan.seed, rules: [...plan.rules].length, counts: Object.fromEntries(plan.journal.counts) };
  return { urls, seed, now: timers.now(), faults, venues };
}

function stateOf({ plan, timers, venueA, venueB }: ControlParts, venue: Venue): object {
  const { skewMs, staleMs, staleMsOfKey, settlementDelayMs } = plan.conditions(venue);
  return {
    ...(venue === 'venue_a' ? venueA : venueB).state(),
    clock: { skewMs, now: timers.now() + skewMs },
    reads: { staleMs, keys: Object.fromEntries(staleMsOfKey) },
    settlement: { delayMs: settlementDelayMs },
  };
}

const decimal = text(1, limits.paperFaultTextCharactersMax);
const readValue = objectOf({ value: decimal });
const readTickSize = objectOf({ tickSize: decimal });
const readClose = objectOf({ inMs: optional(wholeNumber(0, limits.paperFaultMs), 0) });

export const MARKET_ROUTES: readonly ControlRoute[] = [
  changingMarket('post', 'pause', nothing, (_body, market, venue) => venue.setPaused(market, true)),
  changingMarket('post', 'resume', nothing, (_body, market, venue) => venue.setPaused(market, false)),
  changingMarket('post', 'settle', readValue, ({ value }, market, venue) => venue.settle(market, value)),
  changingMarket('post', 'close', readClose, ({ inMs }, market, venue) =>
    venue instanceof VenueBControl
      ? venue.close(market, inMs)
      : refused(409, 'venue: only venue_b closes a market before it settles'),
  ),
  changingMarket('put', 'tick-size', readTickSize, ({ tickSize }, market, venue) =>
    venue instanceof VenueAControl
      ? venue.setTickSize(market, tickSize)
      : refused(409, 'venue: only venue_a changes the tick size of a market'),
  ),
];

/** Performs an operation on a market; answers its new state. */
function changingMarket<Body>(
  method: ControlRoute['method'],
  operation: string,
  reader: Reader<Body>,
  change: (body: Body, market: string, venue: VenueControl) => Outcome<void>,
): ControlRoute {
  return route(method, `/venues/:venue/markets/:market/${operation}`, call =>
    onVenue(call, reader, ({ control }, body) => {
      const market = call.parameters[1]!;
      const done = change(body, market, control);
      return done.ok ? control.market(market) : done;
    }),
  );
}

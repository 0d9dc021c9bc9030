// Venues over HTTP: pause, resume, clock, stale reads, slow settlement, cutting streams. Thread of the paper exchanges.

import { VENUES, type Venue } from '../../domain/market.ts';
import { ok } from '../../domain/result.ts';
import { limits } from '../../limits.ts';
import { type ControlParts, type Outcome, refused } from './control-parts.ts';
import {
  answer,
  bodyOf,
  type ControlCall,
  type ControlRoute,
  type NamedVenue,
  nothing,
  venueOf,
} from './control-route.ts';
import { objectOf, optional, type Reader, text, wholeNumber } from './json-readers.ts';

const name = text(1, limits.paperFaultTextCharactersMax);
const readPause = objectOf({ mode: optional(name, null) });
const readClock = objectOf({ skewMs: wholeNumber(-limits.paperFaultMs, limits.paperFaultMs) });
const readStale = objectOf({ staleMs: wholeNumber(0, limits.paperStaleMsMax) });
const readSettlement = objectOf({ delayMs: optional(wholeNumber(0, limits.paperFaultMs), null) });
const readDisconnect = objectOf({ key: optional(text(0, limits.paperFaultTextCharactersMax), null) });

export const VENUE_ROUTES: readonly ControlRoute[] = [
  { method: 'get', pattern: '/', handle: ({ parts }) => ok(everything(parts)) },
  {
    method: 'get',
    pattern: '/venues/:venue',
    handle: call => answer(venueOf(call), ({ venue }) => stateOf(call.parts, venue)),
  },
  {
    method: 'post',
    pattern: '/venues/:venue/pause',
    handle: call => changed(call, readPause, ({ mode }, { control }) => control.pause(mode)),
  },
  {
    method: 'post',
    pattern: '/venues/:venue/resume',
    handle: call => changed(call, nothing, (_body, { control }) => ok(control.resume())),
  },
  {
    method: 'put',
    pattern: '/venues/:venue/clock',
    handle: call => changed(call, readClock, ({ skewMs }, { venue }) => ok(call.parts.plan.setSkewMs(venue, skewMs))),
  },
  {
    method: 'put',
    pattern: '/venues/:venue/reads',
    handle: call =>
      changed(call, readStale, ({ staleMs }, { venue }) => ok(call.parts.plan.setStaleMs(venue, staleMs))),
  },
  {
    method: 'put',
    pattern: '/venues/:venue/reads/:key',
    handle: call => changed(call, readStale, ({ staleMs }, { venue }) => setStaleMsOfKey(call, venue, staleMs)),
  },
  {
    method: 'delete',
    pattern: '/venues/:venue/reads/:key',
    handle: call => changed(call, nothing, (_body, { venue }) => setStaleMsOfKey(call, venue, null)),
  },
  {
    method: 'put',
    pattern: '/venues/:venue/settlement',
    handle: call =>
      changed(call, readSettlement, ({ delayMs }, { venue }) =>
        ok(call.parts.plan.setSettlementDelayMs(venue, delayMs)),
      ),
  },
  {
    method: 'post',
    pattern: '/venues/:venue/disconnect',
    handle: call => {
      const venue = venueOf(call);
      if (!venue.ok) return venue;
      return answer(bodyOf(call, readDisconnect), ({ key }) => ({ streams: venue.value.control.disconnect(key) }));
    },
  },
  {
    method: 'delete',
    pattern: '/conditions',
    handle: call =>
      answer(bodyOf(call, nothing), () => {
        call.parts.plan.resetConditions();
        return everything(call.parts);
      }),
  },
];

/** Performs an operation on a venue; answers its new state. */
function changed<Body>(
  call: ControlCall,
  reader: Reader<Body>,
  change: (body: Body, named: NamedVenue) => Outcome<void>,
): Outcome<object> {
  const venue = venueOf(call);
  if (!venue.ok) return venue;
  const body = bodyOf(call, reader);
  if (!body.ok) return body;
  return answer(change(body.value, venue.value), () => stateOf(call.parts, venue.value.venue));
}

function setStaleMsOfKey(
  { parts: { plan }, parameters }: ControlCall,
  venue: Venue,
  staleMs: number | null,
): Outcome<void> {
  const key = name(parameters[1], 'key');
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

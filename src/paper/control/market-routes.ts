// Markets over HTTP: pause, close, settle, change the tick size. Thread of the paper exchanges.

import { limits } from '../../limits.ts';
import { type Outcome, refused, type VenueControl } from './control-parts.ts';
import { bodyOf, type ControlCall, type ControlRoute, nothing, venueOf } from './control-route.ts';
import { objectOf, optional, type Reader, text, wholeNumber } from './json-readers.ts';

const decimal = text(1, limits.paperFaultTextCharactersMax);
const readValue = objectOf({ value: decimal });
const readTickSize = objectOf({ tickSize: decimal });
const readClose = objectOf({ inMs: optional(wholeNumber(0, limits.paperFaultMs), 0) });

export const MARKET_ROUTES: readonly ControlRoute[] = [
  {
    method: 'post',
    pattern: '/venues/:venue/markets/:market/pause',
    handle: call => changed(call, nothing, (_body, market, venue) => venue.setPaused(market, true)),
  },
  {
    method: 'post',
    pattern: '/venues/:venue/markets/:market/resume',
    handle: call => changed(call, nothing, (_body, market, venue) => venue.setPaused(market, false)),
  },
  {
    method: 'post',
    pattern: '/venues/:venue/markets/:market/settle',
    handle: call => changed(call, readValue, ({ value }, market, venue) => venue.settle(market, value)),
  },
  {
    method: 'post',
    pattern: '/venues/:venue/markets/:market/close',
    handle: call =>
      changed(call, readClose, ({ inMs }, market, venue) => {
        const { venueB } = call.parts;
        return venue === venueB
          ? venueB.close(market, inMs)
          : refused(409, 'venue: only venue_b closes a market before it settles');
      }),
  },
  {
    method: 'put',
    pattern: '/venues/:venue/markets/:market/tick-size',
    handle: call =>
      changed(call, readTickSize, ({ tickSize }, market, venue) => {
        const { venueA } = call.parts;
        return venue === venueA
          ? venueA.setTickSize(market, tickSize)
          : refused(409, 'venue: only venue_a changes the tick size of a market');
      }),
  },
];

/** Performs an operation on a market; answers its new state. */
function changed<Body>(
  call: ControlCall,
  reader: Reader<Body>,
  change: (body: Body, market: string, venue: VenueControl) => Outcome<void>,
): Outcome<object> {
  const venue = venueOf(call);
  if (!venue.ok) return venue;
  const body = bodyOf(call, reader);
  if (!body.ok) return body;
  const { control } = venue.value;
  const market = call.parameters[1]!;
  const done = change(body.value, market, control);
  return done.ok ? control.market(market) : done;
}

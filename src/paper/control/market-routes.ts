// Markets over HTTP: pause, close, settle, change the tick size. Thread of the paper exchanges.

import { limits } from '../../limits.ts';
import { type ControlRoute, nothing, onVenue, route, type VenueControl } from './control-route.ts';
import { objectOf, optional, type Reader, text, wholeNumber } from './json-readers.ts';
import { type Outcome, refused } from './outcome.ts';
import { VenueAControl } from './venue-a-control.ts';
import { VenueBControl } from './venue-b-control.ts';

const decimal = text(1, limits.paperFaultTextCharactersMax);
const readValue = objectOf({ value: decimal });
const readTickSize = objectOf({ tickSize: decimal });
const readClose = objectOf({ inMs: optional(wholeNumber(0, limits.paperFaultMs), 0) });

export const MARKET_ROUTES: readonly ControlRoute[] = [
  changing('post', 'pause', nothing, (_body, market, venue) => venue.setPaused(market, true)),
  changing('post', 'resume', nothing, (_body, market, venue) => venue.setPaused(market, false)),
  changing('post', 'settle', readValue, ({ value }, market, venue) => venue.settle(market, value)),
  changing('post', 'close', readClose, ({ inMs }, market, venue) =>
    venue instanceof VenueBControl
      ? venue.close(market, inMs)
      : refused(409, 'venue: only venue_b closes a market before it settles'),
  ),
  changing('put', 'tick-size', readTickSize, ({ tickSize }, market, venue) =>
    venue instanceof VenueAControl
      ? venue.setTickSize(market, tickSize)
      : refused(409, 'venue: only venue_a changes the tick size of a market'),
  ),
];

/** Performs an operation on a market; answers its new state. */
function changing<Body>(
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

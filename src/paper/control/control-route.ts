// Routes of the control API as their handlers see them, and their answers: JSON, or `{"error": "field: rule"}`. Thread of the paper
// exchanges.

import { VENUES, type Venue } from '../../core/domain/market.ts';
import { ok } from '../../core/domain/result.ts';
import { type InboundRequest, jsonReply, NO_STORE, type Reply } from '../../core/net/listen.ts';
import type { Timers } from '../../core/runtime/timers.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { type Outcome, objectOf, type Reader, refused } from './json-readers.ts';
import type { VenueAControl } from './venue-a-control.ts';
import type { VenueBControl } from './venue-b-control.ts';

export interface ControlParts {
  readonly plan: FaultPlan;
  /** The simulator's clock, without skew. */
  readonly timers: Timers;
  /** The seed of the markets' sessions. */
  readonly seed: number;
  /** The addresses of the exchanges, by name. */
  readonly urls: Readonly<Record<string, string>>;
  readonly venueA: VenueAControl;
  readonly venueB: VenueBControl;
}

export type VenueControl = VenueAControl | VenueBControl;

export interface ControlCall {
  readonly parts: ControlParts;
  /** The values of the pattern's parameters, in order. */
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
  /** The JSON of the body. It is an empty object if the request has no body. */
  readonly body: unknown;
}

export interface ControlRoute {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  readonly pattern: string;
  /** True if the route answers with 201. */
  readonly creates?: true;
  /** Returns the answer's JSON. */
  handle(call: ControlCall): Outcome<object> | Promise<Outcome<object>>;
}

export function route(method: ControlRoute['method'], pattern: string, handle: ControlRoute['handle']): ControlRoute {
  return { method, pattern, handle };
}

export function creating(pattern: string, handle: ControlRoute['handle']): ControlRoute {
  return { method: 'post', pattern, creates: true, handle };
}

/** Reads the body. */
export function bodyOf<T>(call: ControlCall, reader: Reader<T>): Outcome<T> {
  const read = reader(call.body, '');
  return read.ok ? read : refused(400, read.error);
}

/** Reads the body of routes that take no body. */
export const nothing: Reader<object> = objectOf({});

export interface NamedVenue {
  readonly venue: Venue;
  readonly control: VenueControl;
}

/** Returns the venue that the first parameter names. */
export function venueOf({ parts, parameters }: ControlCall): Outcome<NamedVenue> {
  const venue = VENUES.find(it => it === parameters[0]);
  if (venue === undefined) return refused(404, `venue: must be one of ${VENUES.join(', ')}`);
  return ok({ venue, control: venue === 'venue_a' ? parts.venueA : parts.venueB });
}

/** Performs `act` on the venue that the path names, with the body. */
export function onVenue<Body>(
  call: ControlCall,
  reader: Reader<Body>,
  act: (named: NamedVenue, body: Body) => Outcome<object>,
): Outcome<object> {
  const named = venueOf(call);
  if (!named.ok) return named;
  const body = bodyOf(call, reader);
  return body.ok ? act(named.value, body.value) : body;
}

/** Answers with an outcome. `write` formats the result of a success. */
export function answer<T>(outcome: Outcome<T>, write: (value: T) => object): Outcome<object> {
  return outcome.ok ? ok(write(outcome.value)) : outcome;
}

export function replyOf(route: ControlRoute, outcome: Outcome<object>): Reply {
  if (!outcome.ok) return errorReply(outcome.error.status, outcome.error.error);
  // Some answers have the keys of accounts.
  return { ...jsonReply(route.creates === true ? 201 : 200, outcome.value), headers: [NO_STORE] };
}

export function errorReply(status: number, error: string): Reply {
  return jsonReply(status, { error });
}

/** Returns the JSON body of the request. */
export function jsonOf(request: InboundRequest): Outcome<unknown> {
  if (request.body.length === 0) return ok({});
  try {
    return ok(JSON.parse(Buffer.from(request.body).toString()));
  } catch {
    return refused(400, 'body: must be JSON');
  }
}

// Reads the bodies that set and name a protection, from untrusted JSON. Engine thread.

import type { JsonObject } from '../domain/json.ts';
import { VENUES } from '../domain/market.ts';
import { MICROS_PER_SHARE, type MicroShares, parseMicroShares } from '../domain/numbers.ts';
import { type ProtectionScope, type ProtectionTerms, protectionLimits } from '../domain/protection.ts';
import type { Result } from '../domain/result.ts';
import {
  FieldError,
  type Fields,
  inWords,
  noInteger,
  readDecimalText,
  readName,
  readOneOf,
  refuseUnknown,
} from './fields.ts';
import { readCancelledMarket } from './order-requests.ts';

type Place = Omit<ProtectionScope, 'actorId'>;

/** `{venue, address?, fillsMax | sharesMax, windowMs}`. An error names the field and the rule. */
export function readProtection(body: JsonObject): Result<Place & { readonly terms: ProtectionTerms }, string> {
  return inWords(() => {
    refuseUnknown(body, '', ['venue', 'address', 'fillsMax', 'sharesMax', 'windowMs']);
    const place = readPlace(body);
    if ((body.fillsMax === undefined) === (body.sharesMax === undefined)) {
      throw new FieldError('fillsMax', 'exactly one of fillsMax and sharesMax must be given');
    }
    const { protectionFillsMax, protectionWindowMsMin: min, protectionWindowMsMax: max } = protectionLimits;
    const fillsMax =
      body.fillsMax === undefined
        ? null
        : within(body.fillsMax, 'fillsMax', { min: 0, max: protectionFillsMax, named: 'protectionFillsMax' });
    const sharesMax = body.sharesMax === undefined ? null : readShares(body.sharesMax);
    const named = 'protectionWindowMsMin, protectionWindowMsMax';
    const windowMs = within(body.windowMs, 'windowMs', { min, max, named });
    return { ...place, terms: { fillsMax, sharesMax, windowMs } };
  });
}

/** Reads `{venue, address?}`. */
export function readProtectionPlace(body: JsonObject): Result<Place, string> {
  return inWords(() => {
    refuseUnknown(body, '', ['venue', 'address']);
    return readPlace(body);
  });
}

function readPlace({ venue: name, address }: Fields): Place {
  const venue = readOneOf(name, 'venue', VENUES);
  if (address === undefined) return { venue, address: null };
  const market = readCancelledMarket(venue, readName(address, 'address', 'marketAddressCharactersMax'));
  if (!market.ok) throw new FieldError('address', `must name a market of ${venue}: ${market.error}`);
  return { venue, address: market.value };
}

const SHARES = /^(0|[1-9]\d{0,9})(\.\d{1,6})?$/;

interface Range {
  readonly min: number;
  readonly max: number;
  /** The limits that set it. */
  readonly named: string;
}

function within(value: unknown, field: string, { min, max, named }: Range): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw noInteger(field, `an integer from ${min} to ${max} (${named})`, value);
}

function readShares(value: unknown): MicroShares {
  const text = readDecimalText(value, 'sharesMax', '100');
  const shares = SHARES.test(text) ? parseMicroShares(text) : null;
  const { protectionSharesMax: max } = protectionLimits;
  if (shares !== null && shares <= max * MICROS_PER_SHARE) return shares;
  throw new FieldError('sharesMax', `must be decimal text from 0 to ${max} (protectionSharesMax), at most 6 decimals`);
}

// Reads, from untrusted JSON, the bodies that set or name a protection, and the bodies of actions of a wallet (beyond §9). Engine thread.

import { limits } from '../../limits.ts';
import type { JsonObject } from '../domain/json.ts';
import { MICROS_PER_SHARE, type MicroShares, parseMicroShares } from '../domain/numbers.ts';
import { type ProtectionScope, type ProtectionTerms, protectionLimits } from '../domain/protection.ts';
import type { Result } from '../domain/result.ts';
import type { WalletActionKind } from '../domain/wallet-action.ts';
import {
  FieldError,
  type Fields,
  readDecimalText,
  readInteger,
  readName,
  readVenue,
  refuseUnknown,
  resultOf,
} from './fields.ts';
import { readCancelledMarket } from './order-requests.ts';

type Place = Omit<ProtectionScope, 'actorId'>;

/** Reads `{venue, address?, fillsMax | sharesMax, windowMs}`. An error names the field and the rule. */
export function readProtection(body: JsonObject): Result<Place & { readonly terms: ProtectionTerms }, string> {
  return resultOf(() => {
    refuseUnknown(body, '', ['venue', 'address', 'fillsMax', 'sharesMax', 'windowMs']);
    const place = readPlace(body);
    if ((body.fillsMax === undefined) === (body.sharesMax === undefined)) {
      throw new FieldError('fillsMax', 'exactly one of fillsMax and sharesMax must be given');
    }
    const { protectionFillsMax, protectionWindowMsMin: min, protectionWindowMsMax: max } = protectionLimits;
    const fillsMax =
      body.fillsMax === undefined
        ? null
        : readInteger(body.fillsMax, 'fillsMax', { min: 0, max: protectionFillsMax, named: ' (protectionFillsMax)' });
    const sharesMax = body.sharesMax === undefined ? null : readShares(body.sharesMax);
    const named = ' (protectionWindowMsMin, protectionWindowMsMax)';
    const windowMs = readInteger(body.windowMs, 'windowMs', { min, max, named });
    return { ...place, terms: { fillsMax, sharesMax, windowMs } };
  });
}

/** Reads `{venue, address?}`. */
export function readProtectionPlace(body: JsonObject): Result<Place, string> {
  return resultOf(() => {
    refuseUnknown(body, '', ['venue', 'address']);
    return readPlace(body);
  });
}

function readPlace({ venue: name, address }: Fields): Place {
  const venue = readVenue(name, 'venue');
  if (address === undefined) return { venue, address: null };
  const market = readCancelledMarket(venue, readName(address, 'address', 'marketAddressCharactersMax'));
  if (!market.ok) throw new FieldError('address', `must name a market of ${venue}: ${market.error}`);
  return { venue, address: market.value };
}

function readShares(value: unknown): MicroShares {
  const text = readDecimalText(value, 'sharesMax', '100');
  const shares = microShares(text);
  const { protectionSharesMax: max } = protectionLimits;
  if (shares !== null && shares <= max * MICROS_PER_SHARE) return shares;
  throw new FieldError('sharesMax', `must be decimal text from 0 to ${max} (protectionSharesMax), at most 6 decimals`);
}

/**
 * Reads the shares of an action: `{shares?}`, `{amountUsd}` or `{shares}`. The shares count for each outcome; a dollar makes one share.
 * Null means all shares. An error names the field.
 */
export function readActionShares(kind: WalletActionKind, body: JsonObject): Result<MicroShares | null, string> {
  return resultOf(() => {
    const field = kind === 'SPLIT' ? 'amountUsd' : 'shares';
    refuseUnknown(body, '', [field]);
    if (kind === 'REDEEM' && body[field] === undefined) return null;
    const text = readDecimalText(body[field], field, '100');
    const micros = microShares(text);
    const { sharesPerOrderMax: max } = limits;
    if (micros !== null && micros > 0 && micros <= max * MICROS_PER_SHARE) return micros;
    const most = `${max} (sharesPerOrderMax)`;
    throw new FieldError(field, `must be decimal text above 0 and up to ${most}, with at most 6 decimals`);
  });
}

/** Returns null if the text is no decimal, or has more than 6 decimals. */
function microShares(text: string): MicroShares | null {
  return /^(0|[1-9]\d{0,15})(\.\d{1,6})?$/.test(text) ? parseMicroShares(text) : null;
}

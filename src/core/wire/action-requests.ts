// Reads the bodies of actions of a wallet from untrusted JSON (beyond §9). Engine thread.

import { limits } from '../../limits.ts';
import type { JsonObject } from '../domain/json.ts';
import { MICROS_PER_SHARE, type MicroShares, parseMicroShares } from '../domain/numbers.ts';
import type { Result } from '../domain/result.ts';
import type { WalletActionKind } from '../domain/wallet-action.ts';
import { FieldError, inWords, readDecimalText, refuseUnknown } from './fields.ts';

/** `{shares?}`, `{amountUsd}` or `{shares}`: the shares of each outcome, of which a dollar makes one. Null: all. An error names the field. */
export function readActionShares(kind: WalletActionKind, body: JsonObject): Result<MicroShares | null, string> {
  return inWords(() => {
    const field = kind === 'SPLIT' ? 'amountUsd' : 'shares';
    refuseUnknown(body, '', [field]);
    if (kind === 'REDEEM' && body[field] === undefined) return null;
    const text = readDecimalText(body[field], field, '100');
    const micros = SHARES.test(text) ? parseMicroShares(text) : null;
    const { sharesPerOrderMax: max } = limits;
    if (micros !== null && micros > 0 && micros <= max * MICROS_PER_SHARE) return micros;
    const most = `${max} (sharesPerOrderMax)`;
    throw new FieldError(field, `must be decimal text above 0 and up to ${most}, with at most 6 decimals`);
  });
}

const SHARES = /^(0|[1-9]\d{0,15})(\.\d{1,6})?$/;

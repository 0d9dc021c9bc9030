// Whether the wallet holds a token, by the CLOB itself (venue-a.md §3.7): the lists of the Data API lag, and may lack a row. A token
// has two possible names there, and its id does not say which. Any thread.

import { isObject } from '../../../domain/json.ts';
import { fail, ok, type Result } from '../../../domain/result.ts';
import { HTTP_BAD_REQUEST } from '../../../net/http-status.ts';
import type { VenueApi } from './venue-api.ts';
import { collateralOf } from './wire-numbers.ts';

const ASSET_TYPES = ['CONDITIONAL', 'CONDITIONAL-V2'] as const;

export async function holdsToken(
  api: VenueApi,
  tokenId: string,
  signatureType: number,
): Promise<Result<boolean, string>> {
  let answers = 0;
  for (const type of ASSET_TYPES) {
    const query = `asset_type=${type}&token_id=${tokenId}&signature_type=${signatureType}`;
    // The CLOB shows its last known balance.
    await api.readPrivate(`/balance-allowance/update?${query}`);
    const answer = await api.readPrivate(`/balance-allowance?${query}`);
    if (!answer.ok && answer.error.status === HTTP_BAD_REQUEST) continue;
    if (!answer.ok) return fail(`/balance-allowance: ${answer.error.message}`);
    const balance = isObject(answer.value) ? collateralOf(answer.value.balance) : null;
    if (balance === null) return fail('/balance-allowance: a balance that cannot be read');
    if (balance > 0) return ok(true);
    answers += 1;
  }
  return answers === 0 ? fail('/balance-allowance: the token is not known there') : ok(false);
}

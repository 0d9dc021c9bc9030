// Venue A's routes about API keys (venue-a.md §1.1, §1.3). Thread of the paper exchanges.

import { isObject, textOf } from '../../../core/domain/json.ts';
import type { Address } from '../../../venues/venue-a/address.ts';
import type { VenueAAccess } from './access.ts';
import { errorReply, ok } from './replies.ts';
import { l1, l2, type VenueARoute } from './route.ts';

const NOT_CREATED = errorReply(400, 'Could not create api key');
const NOT_DERIVED = errorReply(400, 'Could not derive api key!');

export function keyRoutes(access: VenueAAccess): VenueARoute[] {
  const { keys } = access;
  return [
    l1('post', '/auth/api-key', ({ address, nonce }) => {
      const credentials = access.createKey(address as Address, nonce);
      return credentials === null ? NOT_CREATED : ok(credentials);
    }),
    l1('get', '/auth/derive-api-key', ({ address, nonce }) => {
      const key = keys.derive(address as Address, nonce);
      return key === null ? NOT_DERIVED : ok(key.credentials);
    }),
    l2('get', '/auth/api-keys', ({ caller }) => ok({ apiKeys: keys.ofAddress(caller.address) })),
    // Signed orders are independent of keys: those of the key stay until matched, expired, or the key is made again.
    l2('delete', '/auth/api-key', ({ caller }) => {
      access.deleteKey(caller.apiKey);
      return ok('OK');
    }),
    l2('get', '/auth/ban-status/closed-only', ({ caller }) =>
      ok({ closed_only: access.restrictionOf(caller.address) === 'closed-only' }),
    ),
    ...spareKeyRoutes(access),
  ];
}

/** Keys that can be listed and deleted, and have no rights here. */
function spareKeyRoutes({ keys }: VenueAAccess): VenueARoute[] {
  return [
    l2('post', '/auth/readonly-api-key', ({ caller }) => {
      const made = keys.createSpare('readonly', caller.address);
      return made === null ? NOT_CREATED : ok({ apiKey: made.apiKey });
    }),
    l2('get', '/auth/readonly-api-keys', ({ caller }) => ok(keys.spares('readonly', caller.address))),
    l2('delete', '/auth/readonly-api-key', ({ caller, body }) =>
      ok(keys.deleteSpare('readonly', caller.address, isObject(body) ? textOf(body.key) : '')),
    ),
    l2('post', '/auth/builder-api-key', ({ caller }) => {
      const made = keys.createSpare('builder', caller.address);
      if (made === null) return NOT_CREATED;
      return ok({ key: made.apiKey, secret: made.secret, passphrase: made.passphrase });
    }),
    l2('get', '/auth/builder-api-key', ({ caller }) =>
      ok(keys.spares('builder', caller.address).map(key => ({ key }))),
    ),
    l2('delete', '/auth/builder-api-key', ({ caller }) => {
      keys.deleteSpare('builder', caller.address, null);
      return ok('OK');
    }),
  ];
}

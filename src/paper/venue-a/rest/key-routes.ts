// Venue A's routes about API keys (venue-a.md §1.1, §1.3). Thread of the paper exchanges.

import { isObject, textOf } from '../../../domain/json.ts';
import type { Address } from '../../../venues/venue-a/address.ts';
import type { VenueAAccess } from './access.ts';
import { errorReply, ok } from './replies.ts';
import type { VenueARoute } from './route.ts';

const NOT_CREATED = errorReply(400, 'Could not create api key');
const NOT_DERIVED = errorReply(400, 'Could not derive api key!');

export function keyRoutes(access: VenueAAccess): VenueARoute[] {
  const { keys } = access;
  return [
    {
      method: 'post',
      path: '/auth/api-key',
      access: 'l1',
      handle: ({ address, nonce }) => {
        const credentials = access.createKey(address as Address, nonce);
        return credentials === null ? NOT_CREATED : ok(credentials);
      },
    },
    {
      method: 'get',
      path: '/auth/derive-api-key',
      access: 'l1',
      handle: ({ address, nonce }) => {
        const key = keys.derive(address as Address, nonce);
        return key === null ? NOT_DERIVED : ok(key.credentials);
      },
    },
    {
      method: 'get',
      path: '/auth/api-keys',
      access: 'l2',
      handle: ({ caller }) => ok({ apiKeys: keys.ofAddress(caller.address) }),
    },
    {
      method: 'delete',
      path: '/auth/api-key',
      access: 'l2',
      // Signed orders are independent of keys: those of the key stay until matched, expired, or the key is made again.
      handle: ({ caller }) => {
        keys.delete(caller.apiKey);
        return ok('OK');
      },
    },
    {
      method: 'get',
      path: '/auth/ban-status/closed-only',
      access: 'l2',
      handle: ({ caller }) => ok({ closed_only: access.restrictionOf(caller.address) === 'closed-only' }),
    },
    ...spareKeyRoutes(access),
  ];
}

/** Keys that can be listed and deleted, and have no rights here. */
function spareKeyRoutes({ keys }: VenueAAccess): VenueARoute[] {
  return [
    {
      method: 'post',
      path: '/auth/readonly-api-key',
      access: 'l2',
      handle: ({ caller }) => {
        const made = keys.createSpare('readonly', caller.address);
        return made === null ? NOT_CREATED : ok({ apiKey: made.apiKey });
      },
    },
    {
      method: 'get',
      path: '/auth/readonly-api-keys',
      access: 'l2',
      handle: ({ caller }) => ok(keys.spares('readonly', caller.address)),
    },
    {
      method: 'delete',
      path: '/auth/readonly-api-key',
      access: 'l2',
      handle: ({ caller, body }) =>
        ok(keys.deleteSpare('readonly', caller.address, isObject(body) ? textOf(body.key) : '')),
    },
    {
      method: 'post',
      path: '/auth/builder-api-key',
      access: 'l2',
      handle: ({ caller }) => {
        const made = keys.createSpare('builder', caller.address);
        if (made === null) return NOT_CREATED;
        return ok({ key: made.apiKey, secret: made.secret, passphrase: made.passphrase });
      },
    },
    {
      method: 'get',
      path: '/auth/builder-api-key',
      access: 'l2',
      handle: ({ caller }) => ok(keys.spares('builder', caller.address).map(key => ({ key }))),
    },
    {
      method: 'delete',
      path: '/auth/builder-api-key',
      access: 'l2',
      handle: ({ caller }) => {
        keys.deleteSpare('builder', caller.address, null);
        return ok('OK');
      },
    },
  ];
}

// The wallet of the account in one life of the simulated gateway.

import { NO_LIMITS } from '../../src/core/domain/identity.ts';
import type { OperationReply } from '../../src/core/domain/operation.ts';
import { ok } from '../../src/core/domain/result.ts';
import type { Timers } from '../../src/core/runtime/timers.ts';
import type { Ledger } from '../../src/orders/life/ledger.ts';
import { OrderIds } from '../../src/orders/life/order-ids.ts';
import { Wallets } from '../../src/orders/life/wallets.ts';
import type { VenueTrading } from '../../src/venues/venue.ts';
import { type ActionCall, hashOf, keyOf, POD, SECRET } from './calls.ts';

interface WalletDeskParts {
  readonly ledger: Ledger;
  readonly timers: Timers;
  readonly storeFailed: (error: unknown) => void;
  readonly podId: string;
  readonly venue: 'venue_a' | 'venue_b';
  readonly trading: VenueTrading;
  readonly actors: readonly string[];
  readonly isTradable: () => boolean;
}

export function openWallets({ actors, podId, venue, trading, ...parts }: WalletDeskParts): Wallets {
  return new Wallets({
    ...parts,
    stopProblem: () => null,
    redeemed: () => {},
    actorsOf: () => actors,
    accounts: [{ podId, venue, trading }],
    orderIds: new OrderIds([{ podId: POD, secretHex: SECRET.toString('hex') }]),
  });
}

export function performAction(wallets: Wallets, call: ActionCall, isTradable: boolean): Promise<OperationReply> {
  const { actorId, idempotencyKey, kind, tokenId, body } = call;
  return wallets.perform({
    ...{ name: 'wallet-action', venue: 'venue_a', kind, tokenId, body: ok(body), idempotencyKey, isTradable },
    caller: { podId: POD, actorId, keyId: keyOf(actorId) },
    bodySha256Hex: hashOf([kind, tokenId, body]),
    ...{ limits: NO_LIMITS, notAfter: null, names: { idempotencyKey: 'key', notAfter: 'notAfter' } },
  });
}

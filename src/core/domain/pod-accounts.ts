// A pod's venue accounts: addresses and credentials, from the operator's configuration or from the paper exchanges. Credentials are secret:
// never logged, never in an error, stored only in the files that they came from.

import { VENUES, type Venue } from './market.ts';
import type { RedeemBounds } from './wallet-action.ts';

/** Access to venue A's relayer: a key of the account, or the credentials of a builder. */
export type RelayerAccess = { readonly url: string } & (
  | { readonly apiKey: string; readonly apiKeyAddress: string }
  | { readonly builderKey: string; readonly builderSecret: string; readonly builderPassphrase: string }
);

export interface VenueAAccount {
  readonly restUrl: string;
  readonly userStreamUrl: string;
  readonly dataUrl: string;
  /** The JSON-RPC URL of a chain node, which may hold a key. Without the URL, unconverted balances are not read. */
  readonly rpcUrl?: string;
  /** The access to the relayer. Without this access, the pod can neither redeem nor split nor merge. */
  readonly relayer?: RelayerAccess;
  /** The bounds of redeems without a request. Without these bounds, winners are redeemed on request only. */
  readonly redeemUsdMax?: RedeemBounds;
  readonly chainId: number;
  /** The private key of the signer, 64 hex digits. */
  readonly privateKey: string;
  /** The owner of the money: the signer's own address, or its proxy, Safe or deposit wallet. */
  readonly funder: string;
  /** The type of the signature: 0 EOA, 1 proxy, 2 Safe, 3 deposit wallet. */
  readonly signatureType: 0 | 1 | 2 | 3;
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

export interface VenueBTradingAccount {
  readonly restUrl: string;
  readonly streamUrl: string;
  readonly keyId: string;
  /** The private key, RSA or Ed25519. */
  readonly privateKeyPem: string;
  /** Whether the venue's balance includes the money that resting orders hold back. */
  readonly isBalanceGross?: boolean;
}

/** The accounts of the pod by venue; null if the pod has none there. */
export interface PodVenues {
  readonly podId: string;
  readonly venueA: VenueAAccount | null;
  readonly venueB: VenueBTradingAccount | null;
}

export interface PodAccounts extends PodVenues {
  /** The pod's secret, 32 bytes in hex. Order ids are derived from the secret, so it must not change. */
  readonly secretHex: string;
}

/** The venues at which the pod has an account. */
export function venuesOf({ venueA, venueB }: PodVenues): readonly Venue[] {
  const has = { venue_a: venueA !== null, venue_b: venueB !== null };
  return VENUES.filter(venue => has[venue]);
}

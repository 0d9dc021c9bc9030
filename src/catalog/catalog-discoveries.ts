// The lists that make the catalog: those of both trading venues, and of venue C if an address is set. Catalog thread.

import type { HttpGet } from '../core/net/http.ts';
import type { Timers } from '../core/runtime/timers.ts';
import type { VenueDiscovery } from '../venues/discovery.ts';
import { venueADiscovery } from '../venues/venue-a/discovery.ts';
import { createVenueBSigner } from '../venues/venue-b/auth.ts';
import { venueBDiscovery } from '../venues/venue-b/discovery.ts';
import { venueCDiscovery } from '../venues/venue-c/discovery.ts';

/** URLs of the venues' lists. */
export interface DiscoveryTargets {
  readonly gammaUrl: string;
  readonly venueB: { readonly restUrl: string; readonly keyId: string; readonly privateKeyPem: string };
  /** Null if venue C is not read. */
  readonly venueC: { readonly url: string; readonly apiKey: string } | null;
}

export function discoveriesOf(targets: DiscoveryTargets, get: HttpGet, timers: Timers): readonly VenueDiscovery[] {
  const { restUrl, keyId, privateKeyPem } = targets.venueB;
  const traded: readonly VenueDiscovery[] = [
    venueADiscovery({ gammaUrl: targets.gammaUrl, get }),
    venueBDiscovery({ restUrl, sign: createVenueBSigner(keyId, privateKeyPem), get, timers }),
  ];
  return targets.venueC === null ? traded : [...traded, venueCDiscovery({ ...targets.venueC, get })];
}

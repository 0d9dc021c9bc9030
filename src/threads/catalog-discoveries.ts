// Whose lists make the catalog: both venues where orders are sent, and venue C if it is told where that is. Catalog thread.

import type { HttpGet } from '../net/http.ts';
import type { Timers } from '../runtime/timers.ts';
import type { VenueDiscovery } from '../venues/discovery.ts';
import { VenueADiscovery } from '../venues/venue-a/discovery.ts';
import { createVenueBSigner } from '../venues/venue-b/auth.ts';
import { VenueBDiscovery } from '../venues/venue-b/discovery.ts';
import { VenueCDiscovery } from '../venues/venue-c/discovery.ts';

/** Where the venues' lists are. */
export interface DiscoveryTargets {
  readonly gammaUrl: string;
  readonly venueB: { readonly restUrl: string; readonly keyId: string; readonly privateKeyPem: string };
  /** Null: it is not asked. */
  readonly venueC: { readonly url: string; readonly apiKey: string } | null;
}

export function discoveriesOf(targets: DiscoveryTargets, get: HttpGet, timers: Timers): readonly VenueDiscovery[] {
  const { restUrl, keyId, privateKeyPem } = targets.venueB;
  const traded: readonly VenueDiscovery[] = [
    new VenueADiscovery({ gammaUrl: targets.gammaUrl, get }),
    new VenueBDiscovery({ restUrl, sign: createVenueBSigner(keyId, privateKeyPem), get, timers }),
  ];
  return targets.venueC === null ? traded : [...traded, new VenueCDiscovery({ ...targets.venueC, get })];
}

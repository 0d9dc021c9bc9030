// Venues with an unencrypted address beyond this machine: an eavesdropper could read credentials and forge books. Not
// refused, since the paper exchanges may run on another host; logged at every start. Main thread.

import type { VenueSource } from './config.ts';
import type { PodVenues } from './trading/pods.ts';

/** Origins without duplicates. */
export function unencryptedOrigins(source: VenueSource, pods: readonly PodVenues[]): readonly string[] {
  // Embedded venues are on loopback.
  if (source.kind !== 'venues') return [];
  const { venueA, gammaUrl, venueB, venueC, venueDUrl, venueE } = source;
  const urls = [
    ...[venueA.restUrl, venueA.streamUrl, gammaUrl, venueB.restUrl, venueB.streamUrl],
    ...[venueC?.url, venueDUrl, venueE?.url],
    ...pods.flatMap(pod => [pod.venueA?.restUrl, pod.venueA?.userStreamUrl, pod.venueA?.dataUrl, pod.venueA?.rpcUrl]),
    ...pods.flatMap(pod => [pod.venueB?.restUrl, pod.venueB?.streamUrl]),
  ];
  const parsed = urls.flatMap(url => (url ? [new URL(url)] : []));
  const bare = parsed.filter(({ protocol, hostname }) => /^(http|ws):$/.test(protocol) && !isLoopback(hostname));
  return [...new Set(bare.map(({ origin }) => origin))];
}

/** A host as a setting or a URL writes it. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d+){3}$/.test(host);
}

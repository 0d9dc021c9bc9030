// Which venues are spoken to in the clear beyond this machine: whoever is on the way reads credentials and writes books. Not
// refused, since the paper exchanges may run on a host of their own; told at every start. Main thread.

import type { VenueSource } from '../config.ts';
import type { PodVenues } from './pods.ts';

/** Origins, each once. */
export function unencryptedOrigins(source: VenueSource, pods: readonly PodVenues[]): readonly string[] {
  // What stands in for the venues is on loopback.
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

/** A host as a setting or a URL names it. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d+){3}$/.test(host);
}

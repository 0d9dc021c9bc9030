// Venues in the clear: which addresses are reported.

import { expect, it } from 'vitest';
import type { PodVenues } from '../src/core/domain/pod-accounts.ts';
import { USUAL_TERMS } from '../src/core/runtime/paper-terms.ts';
import { unencryptedOrigins } from '../src/venue-source.ts';
import type { VenueSource } from '../src/venues/source-settings.ts';

const SAFE: VenueSource = {
  kind: 'venues',
  venueA: { restUrl: 'https://a.example', streamUrl: 'wss://a.example/ws' },
  gammaUrl: 'http://127.0.0.1:9102',
  venueB: { restUrl: 'http://localhost:9104/v2', streamUrl: 'ws://[::1]:9104/ws' },
  account: { keyId: 'k', privateKeyPem: 'PEM' },
  venueC: null,
  venueDUrl: null,
  venueE: null,
};
const POD: PodVenues = {
  podId: 'desk',
  venueA: null,
  venueB: { restUrl: 'https://b.example', streamUrl: 'ws://10.0.0.7/ws', keyId: 'k', privateKeyPem: 'PEM' },
};

it('nothing is reported of encrypted addresses and of this machine', () => {
  expect(unencryptedOrigins(SAFE, [])).toEqual([]);
  expect(unencryptedOrigins({ kind: 'paper', seed: 1, recording: null, terms: USUAL_TERMS }, [POD])).toEqual([]);
});

it('each origin in the clear is reported once, a pod’s too', () => {
  const source: VenueSource = {
    ...SAFE,
    venueA: { restUrl: 'http://a.example/x', streamUrl: 'ws://a.example/y' },
    venueC: { url: 'http://c.example/partner', apiKey: 'k' },
    venueDUrl: 'http://c.example/other',
  };
  const reported = ['http://a.example', 'ws://a.example', 'http://c.example', 'ws://10.0.0.7'];
  expect(unencryptedOrigins(source, [POD])).toEqual(reported);
});

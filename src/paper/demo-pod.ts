// The demo accounts of the paper exchanges as a pod of the gateway. Main thread.

import type { PodVenues, VenueBTradingAccount } from '../core/domain/pod-accounts.ts';
import type { DemoAccounts } from './control/demo-accounts.ts';
import type { PaperUrls } from './paper.ts';

/** The name of the pod that the first start makes. */
const DEMO = 'demo';

/** Makes the pod. `urls` are the addresses of the exchanges that have opened the accounts. */
export function demoPod({ venueA, venueB }: DemoAccounts, urls: Pick<PaperUrls, 'venueA' | 'venueB'>): PodVenues {
  const { privateKey, address, chainId, apiKey, secret, passphrase } = venueA;
  const key = ed25519KeyOf(venueB);
  const { rest: restUrl, userStream: userStreamUrl, data: dataUrl } = urls.venueA;
  const credentials = { privateKey, apiKey, secret, passphrase };
  return {
    podId: DEMO,
    venueA: { restUrl, userStreamUrl, dataUrl, chainId, funder: address, signatureType: 0, ...credentials },
    venueB: { restUrl: urls.venueB.rest, streamUrl: urls.venueB.stream, ...key },
  };
}

/** Returns the account’s Ed25519 key, because it signs faster than the RSA key. */
export function ed25519KeyOf({ keys }: DemoAccounts['venueB']): Pick<VenueBTradingAccount, 'keyId' | 'privateKeyPem'> {
  const { keyId, privateKeyPem } = keys.find(({ keyType }) => keyType === 'ed25519')!;
  return { keyId, privateKeyPem };
}

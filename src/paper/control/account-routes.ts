// Accounts over HTTP, for the operator: open with play money, list, deposit. A new secret is in one answer only and is written
// nowhere. Thread of the paper exchanges.

import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../core/domain/durations.ts';
import { limits } from '../../limits.ts';
import { checksumAddress, readAddress } from '../../venues/venue-a/address.ts';
import { EOA, POLY_1271, type SignatureType } from '../../venues/venue-a/typed-data.ts';
import { RESTRICTIONS } from '../venue-a/rest/access.ts';
import { SHARD_MAX } from '../venue-b/rest/funds.ts';
import { USAGE_TIERS, type UsageTier } from '../venue-b/rest/usage-tiers.ts';
import {
  createVenueAKey,
  createVenueBKey,
  publicKeyPemOf,
  VENUE_B_KEY_TYPES,
  venueAAddressOf,
} from './account-keys.ts';
import {
  answer,
  bodyOf,
  type ControlCall,
  type ControlRoute,
  creating,
  onVenue,
  route,
  venueOf,
} from './control-route.ts';
import { dollars, objectOf, oneOf, optional, type Reader, text, textAs, wholeNumber } from './json-readers.ts';
import { OPENING_BALANCE, type Outcome, refused } from './outcome.ts';

const NAME_CHARACTERS_MAX = 64;
const balance = optional(dollars('unsigned'), OPENING_BALANCE);

const readVenueBAccount = objectOf({
  name: optional(text(1, NAME_CHARACTERS_MAX), 'paper'),
  publicKeyPem: optional(textAs(publicKeyPemOf, 'must be an RSA or Ed25519 public key as PEM'), null),
  generate: optional(oneOf(VENUE_B_KEY_TYPES), null),
  tier: optional(oneOf(Object.keys(USAGE_TIERS) as UsageTier[]), 'basic'),
  balance,
});

const address = textAs(written => {
  const read = readAddress(written);
  return read === null ? null : checksumAddress(read);
}, 'must be an address, 0x and 40 hex digits');

/** A private key, read as its address. */
const privateKey = textAs(venueAAddressOf, 'must be 64 hex digits, a private key of secp256k1');

const readVenueAAccount = objectOf({
  privateKey: optional(privateKey, null),
  address: optional(address, null),
  wallet: optional(address, null),
  signatureType: optional(wholeNumber(EOA, POLY_1271) as Reader<SignatureType>, EOA),
  balance,
});

const readDeposit = objectOf({
  amount: dollars('signed'),
  subaccount: optional(wholeNumber(0, limits.paperSubaccountsMax - 1), 0),
  shard: optional(wholeNumber(0, SHARD_MAX), 0),
});

const readRestriction = objectOf({ restriction: optional(oneOf(RESTRICTIONS), null) });

/** Longer than any attestation lasts. */
const ATTESTED_MS_MAX = 366 * DAY_MS;
const readAttestation = objectOf({ endsInMs: optional(wholeNumber(0, ATTESTED_MS_MAX), null) });

const ACCOUNTS = '/venues/:venue/accounts';
export const ACCOUNT_ROUTES: readonly ControlRoute[] = [
  route('get', ACCOUNTS, call => answer(venueOf(call), ({ control }) => ({ accounts: control.accounts() }))),
  creating(ACCOUNTS, call => {
    const named = venueOf(call);
    if (!named.ok) return named;
    return named.value.venue === 'venue_a' ? openVenueAAccount(call) : openVenueBAccount(call);
  }),
  creating(`${ACCOUNTS}/:account/deposits`, call =>
    onVenue(call, readDeposit, ({ control }, deposit) => control.deposit(call.parameters[1]!, deposit)),
  ),
  route('put', `${ACCOUNTS}/:account/restriction`, call =>
    onVenue(call, readRestriction, ({ venue }, { restriction }) =>
      venue === 'venue_a'
        ? call.parts.venueA.restrict(call.parameters[1]!, restriction)
        : refused(409, 'venue: only venue_a shuts accounts out'),
    ),
  ),
  route('put', `${ACCOUNTS}/:account/attestation`, call =>
    onVenue(call, readAttestation, ({ venue }, { endsInMs }) =>
      venue === 'venue_b'
        ? call.parts.venueB.attest(call.parameters[1]!, endsInMs)
        : refused(409, 'venue: only venue_b asks for a location'),
    ),
  ),
];

async function openVenueBAccount(call: ControlCall): Promise<Outcome<object>> {
  const body = bodyOf(call, readVenueBAccount);
  if (!body.ok) return body;
  const { name, publicKeyPem, generate, tier } = body.value;
  if (publicKeyPem !== null && generate !== null) return refused(400, 'generate: must be absent beside publicKeyPem');
  const { publicKeyPem: pem, ...secret } =
    publicKeyPem === null ? await createVenueBKey(generate ?? 'ed25519') : { publicKeyPem };
  const [userId, keyId] = [randomUUID(), randomUUID()];
  const keys = [{ keyId, name, publicKeyPem: pem }];
  const opened = call.parts.venueB.open({ userId, tier, balance: body.value.balance, keys });
  return answer(opened, () => ({ userId, keyId, tier, ...secret }));
}

function openVenueAAccount(call: ControlCall): Outcome<object> {
  const body = bodyOf(call, readVenueAAccount);
  if (!body.ok) return body;
  const { privateKey: ofKey, address: ofSigner, wallet: itsWallet, signatureType } = body.value;
  if (ofKey !== null && ofSigner !== null) return refused(400, 'address: must be absent beside privateKey');
  const known = ofKey ?? ofSigner;
  const { address: signer, ...secret } = known === null ? createVenueAKey() : { address: known };
  const wallet = itsWallet ?? signer;
  if (signatureType === EOA && wallet !== signer) {
    return refused(400, 'wallet: must be absent with signatureType 0: its money is at the signer’s own address');
  }
  if (signatureType !== EOA && wallet === signer) {
    return refused(400, `wallet: must be another address than the signer’s with signatureType ${signatureType}`);
  }
  const { venueA } = call.parts;
  const opened = venueA.open({ address: signer, wallet, signatureType, balance: body.value.balance }, null);
  return answer(opened, credentials => {
    return { address: signer, wallet, signatureType, chainId: venueA.chainId, ...credentials, ...secret };
  });
}

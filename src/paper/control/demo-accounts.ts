// Accounts that exist from the start, so that a bot can trade at once. They are a user of venue B with a key of each type, a wallet of
// venue A with API credentials, and play money. `accounts.json` keeps them across restarts, with their secrets, and only its owner may read
// it. The file is complete or absent, and never replaces another. Thread of the paper exchanges, and main.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseJson } from '../../core/domain/json.ts';
import { fail, ok, type Result } from '../../core/domain/result.ts';
import { makePrivateFolder, readPrivateFile, writePrivateFile } from '../../core/runtime/private-file.ts';
import { limits } from '../../limits.ts';
import { checksumAddress } from '../../venues/venue-a/address.ts';
import { isL2Secret } from '../../venues/venue-a/auth.ts';
import { AMOY, type ChainId, POLYGON } from '../../venues/venue-a/exchanges.ts';
import { addressOf, readPrivateKey } from '../../venues/venue-a/secp256k1.ts';
import { EOA } from '../../venues/venue-a/typed-data.ts';
import { arrayOf, OPENING_BALANCE, objectOf, type Reader, textAs } from './json-readers.ts';
import type { VenueAControl, VenueACredentials } from './venue-a-control.ts';
import type { VenueBControl } from './venue-b-control.ts';

export const VENUE_B_KEY_TYPES = ['ed25519', 'rsa'] as const;
export type VenueBKeyType = (typeof VENUE_B_KEY_TYPES)[number];

export interface DemoAccounts {
  readonly venueB: {
    /** A UUID. */
    readonly userId: string;
    readonly keys: readonly {
      readonly keyId: string;
      readonly keyType: VenueBKeyType;
      readonly privateKeyPem: string;
    }[];
  };
  readonly venueA: VenueACredentials & {
    readonly privateKey: string;
    /** The address with its checksum. */
    readonly address: string;
    readonly chainId: ChainId;
  };
}

export async function createDemoAccounts(
  chainId: ChainId,
  keyTypes: readonly VenueBKeyType[] = VENUE_B_KEY_TYPES,
): Promise<DemoAccounts> {
  const keys = await Promise.all(
    keyTypes.map(async keyType => {
      const { privateKeyPem } = await createVenueBKey(keyType);
      return { keyId: randomUUID(), keyType, privateKeyPem };
    }),
  );
  const credentials = {
    apiKey: randomUUID(),
    secret: randomBytes(32).toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
    passphrase: randomBytes(32).toString('hex'),
  };
  return { venueB: { userId: randomUUID(), keys }, venueA: { ...createVenueAKey(), ...credentials, chainId } };
}

/** Opens the accounts with $10 000 each. Returns the refusals of the venues. */
export function openDemoAccounts(
  { venueA, venueB }: DemoAccounts,
  controls: { readonly venueA: VenueAControl; readonly venueB: VenueBControl },
): Result<void, string> {
  const keys = venueB.keys.map(({ keyId, keyType, privateKeyPem }) => {
    return { keyId, name: `demo-${keyType}`, publicKeyPem: publicKeyPemOf(privateKeyPem) ?? '' };
  });
  const user = controls.venueB.open({ userId: venueB.userId, tier: 'prestige', balance: OPENING_BALANCE, keys });
  if (!user.ok) return { ok: false, error: user.error.error };
  const { address, apiKey, secret, passphrase } = venueA;
  const account = { address, wallet: address, signatureType: EOA, balance: OPENING_BALANCE };
  const wallet = controls.venueA.open(account, { apiKey, secret, passphrase });
  return wallet.ok ? ok(undefined) : { ok: false, error: wallet.error.error };
}

const uuid = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'must be a UUID in lower case');

/** Reads the accounts. Errors name the field and the rule that it breaks, but show no secret. */
const readDemoAccounts: Reader<DemoAccounts> = (value, field) => {
  const accounts = readFields(value, field);
  if (!accounts.ok) return accounts;
  const { privateKey, address } = accounts.value.venueA;
  if (venueAAddressOf(privateKey) === address) return accounts;
  return { ok: false, error: 'venueA.address: must be the checksummed address of privateKey' };
};

const readFields = objectOf<DemoAccounts>({
  venueB: objectOf({
    userId: uuid,
    keys: arrayOf(
      objectOf({
        keyId: uuid,
        keyType: textAs(text => VENUE_B_KEY_TYPES.find(type => type === text) ?? null, 'must be ed25519 or rsa'),
        privateKeyPem: textAs(text => (privateKeyTypeOf(text) === null ? null : text), 'must be a private key as PEM'),
      }),
      VENUE_B_KEY_TYPES.length,
    ),
  }),
  venueA: objectOf({
    privateKey: textAs(text => (venueAAddressOf(text) === null ? null : text), 'must be 64 hex digits'),
    address: matching(/^0x[0-9a-fA-F]{40}$/, 'must be an address'),
    apiKey: uuid,
    secret: textAs(text => (isL2Secret(text) ? text : null), 'must be base64'),
    passphrase: matching(/^[0-9a-f]{1,64}$/, 'must be hex'),
    chainId: (value, field) =>
      value === POLYGON || value === AMOY ? ok(value) : { ok: false, error: `${field}: must be ${POLYGON} or ${AMOY}` },
  }),
});

function matching(pattern: RegExp, rule: string): Reader<string> {
  return textAs(text => (pattern.test(text) ? text : null), rule);
}

const FILE_NAME = 'accounts.json';

/**
 * Returns the accounts of the folder, and creates them for this chain if there are none. Throws the errors of node:fs. An error about an
 * existing file does not show its content.
 */
export async function demoAccountsIn(folder: string, chainId: ChainId): Promise<Result<DemoAccounts, string>> {
  const path = join(folder, FILE_NAME);
  const before = read(path);
  if (before !== null) return before;
  const accounts = await createDemoAccounts(chainId);
  makePrivateFolder(folder);
  writePrivateFile(path, `${JSON.stringify(accounts, null, 2)}\n`);
  // Another process may have written the file first.
  return read(path) ?? fail(`${path}: must not be taken away while it is read`);
}

/** Returns null if there is no such file. */
function read(path: string): Result<DemoAccounts, string> | null {
  const text = readPrivateFile(path, limits.paperAccountsFileBytesMax);
  if (!text.ok) return text.error.isMissing ? null : fail(`${path}: ${text.error.words}`);
  const accounts = readDemoAccounts(parseJson(text.value), '');
  return accounts.ok ? accounts : fail(`${path}: ${accounts.error}`);
}

interface VenueBKeyPair {
  readonly publicKeyPem: string;
  readonly privateKeyPem: string;
}

const generate = promisify(generateKeyPair);

/**
 * Generates a key: RSA with 2048 bits as PKCS#1, or Ed25519 as PKCS#8 (venue-b.md §2). This runs on another thread, because RSA is slow.
 */
export async function createVenueBKey(type: VenueBKeyType): Promise<VenueBKeyPair> {
  const { publicKey, privateKey } =
    type === 'rsa' ? await generate('rsa', { modulusLength: 2_048 }) : await generate('ed25519', {});
  const privateKeyPem = privateKey.export({ type: type === 'rsa' ? 'pkcs1' : 'pkcs8', format: 'pem' });
  return { publicKeyPem: spki(publicKey), privateKeyPem: privateKeyPem.toString() };
}

/** Returns the public half of an RSA or Ed25519 key. The PEM may have either half. Returns null if it is no such key. */
export function publicKeyPemOf(pem: string): string | null {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ed25519' ? spki(key) : null;
  } catch {
    return null;
  }
}

/** Returns the type of a private key. Returns null if the PEM is no private RSA or Ed25519 key. */
export function privateKeyTypeOf(pem: string): VenueBKeyType | null {
  try {
    const type = createPrivateKey(pem).asymmetricKeyType;
    return VENUE_B_KEY_TYPES.find(it => it === type) ?? null;
  } catch {
    return null;
  }
}

interface VenueAKey {
  /** `0x` and 64 hex digits. */
  readonly privateKey: string;
  /** The address with its checksum. */
  readonly address: string;
}

export function createVenueAKey(): VenueAKey {
  for (;;) {
    const privateKey = `0x${randomBytes(32).toString('hex')}`;
    const address = venueAAddressOf(privateKey);
    // The address is null for one key in 2^127.
    if (address !== null) return { privateKey, address };
  }
}

/** Returns the checksummed address of a private key. Returns null if the text is no private key. */
export function venueAAddressOf(privateKey: string): string | null {
  const key = readPrivateKey(privateKey);
  return key.ok ? checksumAddress(addressOf(key.value)) : null;
}

function spki(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

// Reads the pods that trade at the real venues from the operator's JSON file, and checks it field by field. Also reads each pod's secret,
// from which its order ids derive. Runs once, at the start. An error names the field and never shows a secret. Main thread.

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { IDENTITY_PATTERN } from '../../core/domain/identity.ts';
import { parseJson } from '../../core/domain/json.ts';
import { formatMicroDollars, type MicroDollars, parseMicroShares } from '../../core/domain/numbers.ts';
import type {
  PodAccounts,
  PodVenues,
  RelayerAccess,
  VenueAAccount,
  VenueBTradingAccount,
} from '../../core/domain/pod-accounts.ts';
import { fail, type Result } from '../../core/domain/result.ts';
import type { RedeemBounds } from '../../core/domain/wallet-action.ts';
import { readPrivateFile } from '../../core/runtime/private-file.ts';
import { secretIn } from '../../core/store/data-files.ts';
import { StoreError } from '../../core/store/store-error.ts';
import {
  FieldError,
  type Fields,
  readArray,
  readDecimalText,
  readName,
  readObject,
  refuseUnknown,
  resultOf,
} from '../../core/wire/fields.ts';
import { refuseDoubledKey } from '../../core/wire/json-text.ts';
import { limits } from '../../limits.ts';
import { CREDENTIAL_RULE, isCredential, readVenueUrl } from '../../venues/settings.ts';
import { readAddress } from '../../venues/venue-a/address.ts';
import { isL2Secret } from '../../venues/venue-a/auth.ts';
import { POLYGON } from '../../venues/venue-a/exchanges.ts';
import { readPrivateKey } from '../../venues/venue-a/secp256k1.ts';
import { orderSigner } from '../../venues/venue-a/trading/order-body.ts';
import { venueBKeyFault } from '../../venues/venue-b/auth.ts';

/** A pod of the file with its secret, which the gateway generates. `secretHex` is null if the pod has no secret yet. */
export type PodFound = PodVenues & { readonly secretHex: string | null };

export function readPodsFile(path: string): Result<readonly PodVenues[], string> {
  const content = readPrivateFile(path, limits.podsFileBytesMax);
  if (!content.ok) return fail(`CROSSBOOK_PODS_FILE: ${path} ${content.error.words}`);
  const value = parseJson(content.value);
  if (value === undefined) return fail(`CROSSBOOK_PODS_FILE: ${path} must be JSON`);
  const read = resultOf(() => {
    const file = readObject(value, 'file');
    refuseDoubledKey(content.value);
    refuseUnknown(file, '', ['pods']);
    const folder = dirname(resolve(path));
    const pods = readArray(file.pods, 'pods').map((pod, index) => readPod(pod, `pods[${index}]`, folder));
    if (pods.length === 0) throw new FieldError('pods', 'must name at least one pod');
    const twice = pods.find((pod, index) => pods.findIndex(it => it.podId === pod.podId) < index);
    if (twice !== undefined) throw new FieldError('pods', `names the pod ${twice.podId} twice`);
    refuseShared(pods, 'venueA.funder', ({ venueA }) => venueA && `${venueA.chainId} ${venueA.funder.toLowerCase()}`);
    refuseShared(pods, 'venueB.keyId', ({ venueB }) => venueB && `${new URL(venueB.restUrl).href} ${venueB.keyId}`);
    return pods;
  });
  return read.ok ? read : fail(`${path}: ${read.error}`);
}

/** The pods, with the bounds of automatic redeems only if `isOn`. Without bounds the gateway redeems on request only. */
export function withRedeemBounds(pods: readonly PodVenues[], isOn: boolean): readonly PodVenues[] {
  if (isOn) return pods;
  return pods.map(pod => {
    if (pod.venueA === null) return pod;
    const { redeemUsdMax: _, ...venueA } = pod.venueA;
    return { ...pod, venueA };
  });
}

/** Says in words whether the pod's winners are redeemed without a request. Returns null if the pod has no account at venue A. */
export function redeemText({ venueA }: PodVenues, isOn: boolean): string | null {
  if (venueA === null) return null;
  const { redeemUsdMax: bounds } = venueA;
  if (bounds === undefined) return 'winners are redeemed on request only: redeemUsdMax is not set';
  const [action, day] = [bounds.action, bounds.day].map(formatMicroDollars);
  const amounts = `up to ${action} dollars at once and ${day} a day`;
  return isOn
    ? `winners are redeemed automatically, ${amounts}`
    : `winners are redeemed on request only, not ${amounts}: CROSSBOOK_REDEEM is off`;
}

/** Refuses two pods on one account. Each would book trades of the other pod, and count the same money as its own. */
function refuseShared(pods: readonly PodVenues[], field: string, accountOf: (pod: PodVenues) => string | null): void {
  const seen = new Map<string, number>();
  for (const [index, pod] of pods.entries()) {
    const account = accountOf(pod);
    if (account === null) continue;
    const first = seen.get(account);
    if (first !== undefined)
      throw new FieldError(`pods[${index}].${field}`, `is that of pods[${first}], too: an account belongs to one pod`);
    seen.set(account, index);
  }
}

/** Adds the secrets that exist. Throws a StoreError that names a file that cannot be read. */
export function withSecrets(dataDir: string, pods: readonly PodVenues[]): readonly PodFound[] {
  return pods.map(pod => {
    const path = secretPath(dataDir, pod);
    return { ...pod, secretHex: existsSync(path) ? podSecretIn(path) : null };
  });
}

/**
 * Makes the missing secrets. Throws a StoreError that names the file if the pod of a missing secret has orders. With a new secret, retries
 * of lost orders would get other ids, and the venue could not recognize them.
 */
export function withAllSecrets(
  dataDir: string,
  pods: readonly PodFound[],
  hasOrders: (podId: string) => boolean,
): readonly PodAccounts[] {
  return pods.map(pod => {
    if (pod.secretHex !== null) return { ...pod, secretHex: pod.secretHex };
    const path = secretPath(dataDir, pod);
    if (!hasOrders(pod.podId)) return { ...pod, secretHex: podSecretIn(path) };
    const lost = 'if it is lost for good, see Backups in docs/OPERATIONS.md';
    throw new StoreError(`${path}: is missing, and there are orders whose ids depend on it: restore it; ${lost}`);
  });
}

function secretPath(dataDir: string, { podId }: PodVenues): string {
  return join(dataDir, 'pods', `${podId}.secret`);
}

function podSecretIn(path: string): string {
  return secretIn(path, 'the order ids depend on it');
}

function readPod(value: unknown, path: string, folder: string): PodVenues {
  const fields = readObject(value, path);
  refuseUnknown(fields, path, ['podId', 'venueA', 'venueB']);
  const podId = text(fields, path, 'podId');
  if (!IDENTITY_PATTERN.test(podId)) throw new FieldError(`${path}.podId`, `must match ${IDENTITY_PATTERN.source}`);
  if (fields.venueA === undefined && fields.venueB === undefined)
    throw new FieldError(path, 'must have venueA, venueB, or both');
  return {
    podId,
    venueA: fields.venueA === undefined ? null : readVenueA(fields.venueA, `${path}.venueA`, folder),
    venueB: fields.venueB === undefined ? null : readVenueB(fields.venueB, `${path}.venueB`, folder),
  };
}

function readVenueA(value: unknown, path: string, folder: string): VenueAAccount {
  const fields = readObject(value, path);
  const secrets = ['privateKey', 'apiKey', 'secret', 'passphrase', 'rpcUrl'] as const;
  const plain = [
    'restUrl',
    'userStreamUrl',
    'dataUrl',
    'chainId',
    'funder',
    'signatureType',
    'relayer',
    'redeemUsdMax',
  ];
  refuseUnknown(fields, path, [...plain, ...secrets, ...secrets.map(name => `${name}File`)]);
  const privateKey = secret(fields, path, 'privateKey', folder).replace(/^0x/, '');
  if (!readPrivateKey(privateKey).ok)
    throw new FieldError(`${path}.privateKey`, 'must be 64 hex digits, above zero and below the order of secp256k1');
  const funder = text(fields, path, 'funder');
  if (readAddress(funder) === null) throw new FieldError(`${path}.funder`, 'must be an address');
  const account: VenueAAccount = {
    restUrl: url(fields, path, 'restUrl', 'http'),
    userStreamUrl: url(fields, path, 'userStreamUrl', 'ws'),
    dataUrl: url(fields, path, 'dataUrl', 'http'),
    ...rpcUrl(fields, path, folder),
    ...(fields.relayer === undefined ? {} : { relayer: readRelayer(fields.relayer, `${path}.relayer`, folder) }),
    ...(fields.redeemUsdMax === undefined
      ? {}
      : { redeemUsdMax: readBounds(fields.redeemUsdMax, `${path}.redeemUsdMax`) }),
    chainId: oneOf(fields, path, 'chainId', [137, 80_002]),
    privateKey,
    funder,
    signatureType: oneOf(fields, path, 'signatureType', [0, 1, 2, 3]),
    apiKey: credential(secret(fields, path, 'apiKey', folder), `${path}.apiKey`),
    secret: secret(fields, path, 'secret', folder),
    passphrase: credential(secret(fields, path, 'passphrase', folder), `${path}.passphrase`),
  };
  if (!isL2Secret(account.secret)) throw new FieldError(`${path}.secret`, 'must be base64');
  if (fields.redeemUsdMax !== undefined && !isServed(account))
    throw new FieldError(`${path}.redeemUsdMax`, `requires relayer, chainId ${POLYGON} and signatureType 1, 2 or 3`);
  if (orderSigner(account) === null)
    throw new FieldError(`${path}.funder`, 'must be the address of privateKey itself under signatureType 0');
  return account;
}

/** Reads the URL of the node that is asked for the balance of the collateral token. That token exists on Polygon only. */
function rpcUrl(fields: Fields, path: string, folder: string): Pick<VenueAAccount, 'rpcUrl'> {
  if (fields.rpcUrl === undefined && fields.rpcUrlFile === undefined) return {};
  const rpcUrl = readVenueUrl(secret(fields, path, 'rpcUrl', folder), 'http');
  if (!rpcUrl.ok) throw new FieldError(`${path}.rpcUrl`, rpcUrl.error);
  if (fields.chainId !== POLYGON) throw new FieldError(`${path}.rpcUrl`, `requires chainId ${POLYGON}`);
  return { rpcUrl: rpcUrl.value };
}

/** Whether venue A's relayer serves the wallet. */
function isServed({ relayer, chainId, signatureType }: VenueAAccount): boolean {
  return relayer !== undefined && chainId === POLYGON && signatureType !== 0;
}

function readBounds(value: unknown, path: string): RedeemBounds {
  const fields = readObject(value, path);
  refuseUnknown(fields, path, ['action', 'day']);
  return { action: dollars(fields, path, 'action'), day: dollars(fields, path, 'day') };
}

function dollars(fields: Fields, path: string, name: string): MicroDollars {
  const text = readDecimalText(fields[name], `${path}.${name}`, '500');
  const micros = DOLLARS.test(text) ? parseMicroShares(text) : null;
  if (micros === null || micros <= 0)
    throw new FieldError(`${path}.${name}`, 'must be decimal text above 0, with at most 6 decimals');
  return micros as number as MicroDollars;
}

const DOLLARS = /^\d{1,9}(\.\d{1,6})?$/;

/** Reads the access to the relayer: a key of the relayer, or a builder's credentials. */
function readRelayer(value: unknown, path: string, folder: string): RelayerAccess {
  const fields = readObject(value, path);
  const [ofKey, ofBuilder] = [['apiKey'], ['builderKey', 'builderSecret', 'builderPassphrase']];
  const withFiles = (names: readonly string[]) => names.flatMap(name => [name, `${name}File`]);
  const isBuilder = withFiles(ofBuilder).some(name => fields[name] !== undefined);
  refuseUnknown(fields, path, ['url', ...(isBuilder ? withFiles(ofBuilder) : ['apiKeyAddress', ...withFiles(ofKey)])]);
  const named = (name: string) => credential(secret(fields, path, name, folder), `${path}.${name}`);
  const address = url(fields, path, 'url', 'http');
  if (!isBuilder) {
    const apiKeyAddress = text(fields, path, 'apiKeyAddress');
    if (readAddress(apiKeyAddress) === null) throw new FieldError(`${path}.apiKeyAddress`, 'must be an address');
    return { url: address, apiKey: named('apiKey'), apiKeyAddress };
  }
  const builderSecret = named('builderSecret');
  if (!isL2Secret(builderSecret)) throw new FieldError(`${path}.builderSecret`, 'must be base64');
  return {
    url: address,
    builderKey: named('builderKey'),
    builderSecret,
    builderPassphrase: named('builderPassphrase'),
  };
}

function readVenueB(value: unknown, path: string, folder: string): VenueBTradingAccount {
  const fields = readObject(value, path);
  refuseUnknown(fields, path, [
    'restUrl',
    'streamUrl',
    'keyId',
    'privateKeyPem',
    'privateKeyPemFile',
    'isBalanceGross',
  ]);
  const { isBalanceGross = false } = fields;
  if (typeof isBalanceGross !== 'boolean') throw new FieldError(`${path}.isBalanceGross`, 'must be true or false');
  const privateKeyPem = secret(fields, path, 'privateKeyPem', folder);
  const fault = venueBKeyFault(privateKeyPem);
  if (fault !== null) {
    const isNamed = fields.privateKeyPemFile !== undefined;
    const words = isNamed ? `${fields.privateKeyPemFile} ${fault}` : fault;
    throw new FieldError(`${path}.privateKeyPem${isNamed ? 'File' : ''}`, words);
  }
  return {
    restUrl: url(fields, path, 'restUrl', 'http'),
    streamUrl: url(fields, path, 'streamUrl', 'ws'),
    keyId: credential(text(fields, path, 'keyId'), `${path}.keyId`),
    privateKeyPem,
    ...(isBalanceGross ? { isBalanceGross } : {}),
  };
}

/** Reads a secret from the pods file, or from a file that `<name>File` names relative to the pods file. */
function secret(fields: Fields, path: string, name: string, folder: string): string {
  const file = fields[`${name}File`];
  if ((fields[name] === undefined) === (file === undefined)) {
    throw new FieldError(`${path}.${name}`, `must be given, here or by ${name}File, and not both`);
  }
  if (file === undefined) return text(fields, path, name);
  const named = readName(file, `${path}.${name}File`, 'podsFileBytesMax');
  return privateText(resolve(folder, named), `${path}.${name}File`).trim();
}

function credential(value: string, path: string): string {
  if (!isCredential(value)) throw new FieldError(path, CREDENTIAL_RULE);
  return value;
}

function text(fields: Fields, path: string, name: string): string {
  return readName(fields[name], `${path}.${name}`, 'podsFileBytesMax');
}

function url(fields: Fields, path: string, name: string, scheme: 'http' | 'ws'): string {
  const value = readVenueUrl(text(fields, path, name), scheme);
  if (!value.ok) throw new FieldError(`${path}.${name}`, value.error);
  return value.value;
}

function oneOf<const Choice extends number>(
  fields: Fields,
  path: string,
  name: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find(it => it === fields[name]);
  if (choice === undefined) throw new FieldError(`${path}.${name}`, `must be one of ${choices.join(', ')}`);
  return choice;
}

/** `named` is the field that names the file. */
function privateText(path: string, named: string): string {
  const text = readPrivateFile(path, limits.podsFileBytesMax);
  if (!text.ok) throw new FieldError(named, `${path} ${text.error.words}`);
  return text.value;
}

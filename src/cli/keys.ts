// `crossbook keys`: signing keys (contract §2). The key pair is made here or by its owner. The store gets the public half
// only; the private half goes only to the requested file.

import { randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { parseAddress } from '../auth/allow-list.ts';
import { createKeyPair } from '../auth/key-pair.ts';
import { validatePublicKey } from '../auth/public-key.ts';
import { SCOPES, type Scope, type SigningKey } from '../domain/identity.ts';
import { createKeyId } from '../store/key-record.ts';
import type { NewSigningKey } from '../store/key-registry.ts';
import type { KeyStore } from '../store/key-store.ts';
import { type Arguments, type CommandIo, readArguments, runCommand, UsageError } from './command-io.ts';
import {
  accepted,
  findActor,
  jsonText,
  listed,
  now,
  statusText,
  tableText,
  timeText,
  withKeyStore,
  writeSecret,
} from './key-arguments.ts';

export const KEYS_USAGE = `  keys create --actor ID --out FILE [--pod ID] [--scopes read,trade] [--address ADDRESS]… [--label TEXT]
      makes a signing key; FILE (mode 0600) gets the private half, the store the public one
  keys register --actor ID --public-key HEX [--pod ID] [--scopes read,trade] [--address ADDRESS]… [--label TEXT]
      registers a public key that was made elsewhere
  keys rotate KEYID --out FILE
      makes a key for the same actor and use; the old one works until it is revoked
  keys list [--json]
  keys revoke KEYID
      takes effect at once, open streams included
      all of keys: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data
      --pod, where actors of two pods have one name
`;

const OWNER_OPTIONS = ['data-dir', 'actor', 'pod', 'scopes', 'address', 'label'];

export async function keysCommand([name, ...rest]: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () => {
    switch (name) {
      case 'create':
        return create(io, readArguments(rest, { options: [...OWNER_OPTIONS, 'out'] }));
      case 'register':
        return register(io, readArguments(rest, { options: [...OWNER_OPTIONS, 'public-key'] }));
      case 'rotate':
        return rotate(io, readArguments(rest, { options: ['data-dir', 'out'], positionals: ['KEYID'] }));
      case 'list':
        return list(io, readArguments(rest, { options: ['data-dir'], flags: ['json'] }));
      case 'revoke':
        return revoke(io, readArguments(rest, { options: ['data-dir'], positionals: ['KEYID'] }));
      default:
        throw new UsageError(`keys: must be followed by create, register, rotate, list or revoke`);
    }
  });
}

/** What the caller says of a key; the store adds the rest of its record. */
type KeyUse = Omit<NewSigningKey, 'keyId' | 'publicKeyHex' | 'createdAt'>;

function create(io: CommandIo, args: Arguments): Promise<void> {
  return withKeyStore(io, args, store => createPair(io, store, readUse(store, args), args.required('out')));
}

function rotate(io: CommandIo, args: Arguments): Promise<void> {
  return withKeyStore(io, args, store => {
    const [keyId] = args.positionals;
    const old = store.read().signingKeys.find(key => key.keyId === keyId);
    if (old === undefined) throw new UsageError(`KEYID: there is no signing key ${keyId}`);
    if (old.revokedAt !== null) throw new UsageError(`KEYID: ${keyId} is revoked already`);
    const { actorId, podId, scopes, addresses, label } = old;
    return createPair(io, store, { actorId, podId, scopes, addresses, label }, args.required('out'));
  });
}

/** Writes the file first, and removes it if the key is refused: a registered key without its file would be lost. */
async function createPair(io: CommandIo, store: KeyStore, use: KeyUse, path: string): Promise<void> {
  const pair = await createKeyPair();
  const keyId = createKeyId(randomBytes);
  writeSecret(path, jsonText({ keyId, ...pair }));
  try {
    accepted(store.addSigningKey({ ...use, keyId, publicKeyHex: pair.publicKeyHex, createdAt: now() }));
  } catch (error) {
    unlinkSync(path);
    throw error;
  }
  io.out(`${keyId} for actor ${use.actorId} of pod ${use.podId}; its private key is in ${path}\n`);
}

function register(io: CommandIo, args: Arguments): Promise<void> {
  return withKeyStore(io, args, store => {
    const use = readUse(store, args);
    const publicKey = validatePublicKey(args.required('public-key'));
    if (!publicKey.ok) throw new UsageError(`--public-key: ${publicKey.error}`);
    const keyId = createKeyId(randomBytes);
    accepted(store.addSigningKey({ ...use, keyId, publicKeyHex: publicKey.value, createdAt: now() }));
    io.out(`${keyId} for actor ${use.actorId} of pod ${use.podId}\n`);
  });
}

function readUse(store: KeyStore, args: Arguments): KeyUse {
  const addresses = args.many('address');
  for (const address of addresses) {
    const range = parseAddress(address);
    if (!range.ok) throw new UsageError(`--address: ${range.error}`);
  }
  const scopes = (args.one('scopes') ?? SCOPES.join(',')).split(',') as Scope[];
  const { actorId, podId } = findActor(store, args);
  return { actorId, podId, scopes, addresses, label: args.one('label') ?? '' };
}

function list(io: CommandIo, args: Arguments): Promise<void> {
  return withKeyStore(io, args, store => {
    const keys = listed(store.read().signingKeys);
    io.out(args.has('json') ? jsonText(keys) : tableText(HEAD, keys.map(rowOf)));
  });
}

const HEAD = ['KEY', 'POD', 'ACTOR', 'SCOPES', 'ADDRESSES', 'CREATED', 'STATUS', 'LABEL'];

function rowOf(key: SigningKey): readonly string[] {
  const addresses = key.addresses.length === 0 ? 'any' : key.addresses.join(',');
  const { keyId, podId, actorId, scopes, createdAt, label } = key;
  return [keyId, podId, actorId, scopes.join(','), addresses, timeText(createdAt), statusText(key), label];
}

function revoke(io: CommandIo, args: Arguments): Promise<void> {
  return withKeyStore(io, args, store => {
    const { keyId } = accepted(store.revokeSigningKey(args.positionals[0]!, now()));
    io.out(`${keyId} is revoked\n`);
  });
}

// `crossbook keys` manages signing keys (contract §2). The key pair is made here or by its owner. The store gets only the public half. The
// private half goes only to the requested file. `crossbook api-keys` manages secrets of the older family (interface §5.2). A secret is
// shown or written once, when it is made. The store has only its hash.

import { randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { createKeyPair } from '../../core/auth/key-pair.ts';
import { createApiKey, parseAddress } from '../../core/auth/keyring.ts';
import { validatePublicKey } from '../../core/auth/public-key.ts';
import type { Scope, SigningKey } from '../../core/domain/identity.ts';
import type { Result } from '../../core/domain/result.ts';
import { createApiKeyId, createKeyId } from '../../core/store/key-record.ts';
import type { NewSigningKey } from '../../core/store/key-registry.ts';
import { type Arguments, type CommandIo, UsageError, withSubcommands } from './command-io.ts';
import {
  accepted,
  type CommandKeys,
  findActor,
  listed,
  listOf,
  now,
  onKeyStore,
  statusText,
  writeSecret,
} from './key-arguments.ts';
import { jsonText, timeText } from './output.ts';

export const KEYS_USAGE = `  keys create --actor ID --out FILE [--pod ID] [--scopes read,trade] [--address ADDRESS]… [--label TEXT]
      makes a signing key; FILE (mode 0600) gets the private half, the store the public one
  keys register --actor ID --public-key HEX [--pod ID] [--scopes read,trade] [--address ADDRESS]… [--label TEXT]
      registers a public key that was made elsewhere; scopes of the web page: read,observe,cancel
  keys rotate KEYID --out FILE
      makes a key for the same actor and use; the old one works until it is revoked
  keys list [--json]
  keys revoke KEYID
      takes effect at once, open streams included
      all of keys: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data
      --pod, where actors of two pods have one name

    crossbook keys create --actor maker --scopes read,trade --out maker.json
    crossbook keys list
`;

export const API_KEYS_USAGE = `  api-keys create --actor ID [--pod ID] [--label TEXT] [--out FILE]
      makes an API key of the older family and prints it, this once; with --out it goes to FILE (mode 0600) instead
  api-keys list [--json]
  api-keys revoke APIKEYID
      all of api-keys: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data

    crossbook api-keys create --actor maker --out api-key.txt
    crossbook api-keys list
`;

const OWNER_OPTIONS = ['actor', 'pod', 'scopes', 'address', 'label'];

export const keysCommand = withSubcommands('keys', {
  create: { options: [...OWNER_OPTIONS, 'out'], run: onKeyStore(create) },
  register: { options: [...OWNER_OPTIONS, 'public-key'], run: onKeyStore(register) },
  rotate: { options: ['out'], positionals: ['KEYID'], run: onKeyStore(rotate) },
  list: listOf(
    ['KEY', 'POD', 'ACTOR', 'SCOPES', 'ADDRESSES', 'CREATED', 'STATUS', 'LABEL'],
    ({ signingKeys }) => listed(signingKeys),
    signingKeyCells,
  ),
  revoke: {
    positionals: ['KEYID'],
    run: onKeyStore(async (keys, { positionals: [keyId] }, io) => {
      const key = accepted(await keys.change(it => it.revokeSigningKey(keyId!, now())));
      io.out(`${key.keyId} is revoked\n`);
    }),
  },
});

export const apiKeysCommand = withSubcommands('api-keys', {
  create: { options: ['actor', 'pod', 'label', 'out'], run: onKeyStore(createForOlderFamily) },
  list: listOf(
    ['API KEY', 'POD', 'ACTOR', 'CREATED', 'STATUS', 'LABEL'],
    ({ apiKeys }) => listed(apiKeys),
    key => [key.apiKeyId, key.podId, key.actorId, timeText(key.createdAt), statusText(key), key.label],
    // The hash is left out, because it is useless in a list.
    ({ hashHex: _, ...rest }) => rest,
  ),
  revoke: {
    positionals: ['APIKEYID'],
    run: onKeyStore(async (keys, { positionals: [apiKeyId] }, io) => {
      const key = accepted(await keys.change(it => it.revokeApiKey(apiKeyId!, now())));
      io.out(`${key.apiKeyId} is revoked\n`);
    }),
  },
});

/** The facts of a key that the caller states. The store adds the rest of the record. */
type KeyUse = Omit<NewSigningKey, 'keyId' | 'publicKeyHex' | 'createdAt'>;

function create(store: CommandKeys, args: Arguments, io: CommandIo): Promise<void> {
  return createPair(io, store, readUse(store, args), args.required('out'));
}

function rotate(store: CommandKeys, args: Arguments, io: CommandIo): Promise<void> {
  const [keyId] = args.positionals;
  const old = store.read().signingKeys.find(key => key.keyId === keyId);
  if (old === undefined) throw new UsageError(`KEYID: there is no signing key ${keyId}`);
  if (old.revokedAt !== null) throw new UsageError(`KEYID: ${keyId} is revoked already`);
  const { actorId, podId, scopes, addresses, label } = old;
  return createPair(io, store, { actorId, podId, scopes, addresses, label }, args.required('out'));
}

async function createPair(io: CommandIo, keys: CommandKeys, use: KeyUse, path: string): Promise<void> {
  const pair = await createKeyPair();
  const keyId = createKeyId(randomBytes);
  const record = { ...use, keyId, publicKeyHex: pair.publicKeyHex, createdAt: now() };
  await withSecret(path, jsonText({ keyId, ...pair }), () => keys.change(it => it.addSigningKey(record)));
  io.out(`${keyId} for actor ${use.actorId} of pod ${use.podId}; its private key is in ${path}\n`);
}

/** Writes the file first, and removes it if the key is refused. In the other sequence, a registered key without its file could be lost. */
async function withSecret(path: string, text: string, add: () => Promise<Result<unknown, string>>): Promise<void> {
  writeSecret(path, text);
  try {
    accepted(await add());
  } catch (error) {
    unlinkSync(path);
    throw error;
  }
}

async function register(keys: CommandKeys, args: Arguments, io: CommandIo): Promise<void> {
  const use = readUse(keys, args);
  const publicKey = validatePublicKey(args.required('public-key'));
  if (!publicKey.ok) throw new UsageError(`--public-key: ${publicKey.error}`);
  const keyId = createKeyId(randomBytes);
  const record = { ...use, keyId, publicKeyHex: publicKey.value, createdAt: now() };
  accepted(await keys.change(it => it.addSigningKey(record)));
  io.out(`${keyId} for actor ${use.actorId} of pod ${use.podId}\n`);
}

function readUse(store: CommandKeys, args: Arguments): KeyUse {
  const addresses = args.many('address');
  for (const address of addresses) {
    const range = parseAddress(address);
    if (!range.ok) throw new UsageError(`--address: ${range.error}`);
  }
  const scopes = (args.one('scopes') ?? 'read,trade').split(',') as Scope[];
  const { actorId, podId } = findActor(store, args);
  return { actorId, podId, scopes, addresses, label: args.one('label') ?? '' };
}

function signingKeyCells(key: SigningKey): readonly string[] {
  const addresses = key.addresses.length === 0 ? 'any' : key.addresses.join(',');
  const { keyId, podId, actorId, scopes, createdAt, label } = key;
  return [keyId, podId, actorId, scopes.join(','), addresses, timeText(createdAt), statusText(key), label];
}

async function createForOlderFamily(store: CommandKeys, args: Arguments, io: CommandIo): Promise<void> {
  const { actorId, podId } = findActor(store, args);
  const [path, label] = [args.one('out'), args.one('label') ?? ''];
  const { text, hashHex } = createApiKey(randomBytes);
  const apiKeyId = createApiKeyId(randomBytes);
  const record = { apiKeyId, actorId, podId, hashHex, label, createdAt: now() };
  const add = () => store.change(it => it.addApiKey(record));
  const made = `${apiKeyId} for actor ${actorId} of pod ${podId}; the key`;
  if (path === undefined) {
    accepted(await add());
    io.out(`${made} shown this once:\n${text}\n`);
  } else {
    await withSecret(path, `${text}\n`, add);
    io.out(`${made} is in ${path}\n`);
  }
}

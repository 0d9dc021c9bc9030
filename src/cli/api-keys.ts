// `crossbook api-keys`: secrets of the older family (interface §5.2). A secret is shown or written once, when it is made; the
// store has only its hash.

import { randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { createApiKey } from '../auth/api-key.ts';
import type { ApiKey } from '../domain/identity.ts';
import { createApiKeyId } from '../store/key-record.ts';
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

export const API_KEYS_USAGE = `  api-keys create --actor ID [--pod ID] [--label TEXT] [--out FILE]
      makes an API key of the older family and prints it, this once; with --out it goes to FILE (mode 0600) instead
  api-keys list [--json]
  api-keys revoke APIKEYID
      all of api-keys: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data
`;

export async function apiKeysCommand([name, ...rest]: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () => {
    switch (name) {
      case 'create':
        return create(io, readArguments(rest, { options: ['data-dir', 'actor', 'pod', 'label', 'out'] }));
      case 'list':
        return list(io, readArguments(rest, { options: ['data-dir'], flags: ['json'] }));
      case 'revoke':
        return revoke(io, readArguments(rest, { options: ['data-dir'], positionals: ['APIKEYID'] }));
      default:
        throw new UsageError('api-keys: must be followed by create, list or revoke');
    }
  });
}

function create(io: CommandIo, args: Arguments): Promise<void> {
  return withKeyStore(io, args, store => {
    const { actorId, podId } = findActor(store, args);
    const [path, label] = [args.one('out'), args.one('label') ?? ''];
    const { text, hashHex } = createApiKey(randomBytes);
    const apiKeyId = createApiKeyId(randomBytes);
    if (path !== undefined) writeSecret(path, `${text}\n`);
    try {
      accepted(store.addApiKey({ apiKeyId, actorId, podId, hashHex, label, createdAt: now() }));
    } catch (error) {
      if (path !== undefined) unlinkSync(path);
      throw error;
    }
    const where = path === undefined ? 'shown this once:' : `is in ${path}`;
    io.out(
      `${apiKeyId} for actor ${actorId} of pod ${podId}; the key ${where}\n${path === undefined ? `${text}\n` : ''}`,
    );
  });
}

function list(io: CommandIo, args: Arguments): Promise<void> {
  return withKeyStore(io, args, store => {
    const keys = listed(store.read().apiKeys);
    io.out(args.has('json') ? jsonText(keys.map(withoutHash)) : tableText(HEAD, keys.map(rowOf)));
  });
}

const HEAD = ['API KEY', 'POD', 'ACTOR', 'CREATED', 'STATUS', 'LABEL'];

function rowOf(key: ApiKey): readonly string[] {
  return [key.apiKeyId, key.podId, key.actorId, timeText(key.createdAt), statusText(key), key.label];
}

/** Without the hash: it is useless in a list. */
function withoutHash({ hashHex: _, ...rest }: ApiKey): Omit<ApiKey, 'hashHex'> {
  return rest;
}

function revoke(io: CommandIo, args: Arguments): Promise<void> {
  return withKeyStore(io, args, store => {
    const { apiKeyId } = accepted(store.revokeApiKey(args.positionals[0]!, now()));
    io.out(`${apiKeyId} is revoked\n`);
  });
}

// The common parts of commands of the key store: how they find the store and the actor, rules of options, and lists as text.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor, KeyRecords } from '../../core/domain/identity.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { Result } from '../../core/domain/result.ts';
import { NatsLink } from '../../core/nats/connection.ts';
import { type NatsSettings, readKeyStream } from '../../core/nats/settings.ts';
import { writePrivateFile } from '../../core/runtime/private-file.ts';
import type { KeyTransaction } from '../../core/store/key-registry.ts';
import { type KeyStore, openKeyStore } from '../../core/store/key-store.ts';
import { KeyStream } from '../../core/store/key-stream.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { type Arguments, type CommandIo, dataDirOf, type Subcommand, UsageError } from './command-io.ts';
import { jsonText, tableText, timeText } from './output.ts';

/** The key store. If its keys come from a stream, a change reaches every gateway of that stream. */
export interface CommandKeys extends Pick<KeyStore, 'read'> {
  /** Changes the key store. Rejects with a NatsError if the change fails or its outcome is unknown. */
  change<T>(work: (transaction: KeyTransaction) => Result<T, string>): Promise<Result<T, string>>;
}

type OnKeyStore = (keys: CommandKeys, args: Arguments, io: CommandIo) => void | Promise<void>;

/**
 * Opens the key store while `work` runs. Only `pods create`, the first command of all, creates the store. If `isRead`, the work only reads,
 * and sees the keys as far as the gateway of the store has read them.
 */
export function onKeyStore(work: OnKeyStore, { mayCreate = false, isRead = false } = {}): Subcommand['run'] {
  return async (args, io) => {
    const dataDir = dataDirOf(args, io);
    const folder = join(dataDir, 'keys');
    if (!mayCreate && !existsSync(join(folder, 'data.mdb'))) {
      throw new UsageError(`--data-dir: ${dataDir} holds no key store; crossbook pods create makes one`);
    }
    const store = openKeyStore(folder);
    try {
      const nats = isRead ? null : readKeyStream(io.env);
      if (nats === null) await work({ read: store.read, change: async it => store.change(it) }, args, io);
      else await onStream(nats, store, keys => work(keys, args, io));
    } finally {
      await store.close();
    }
  };
}

async function onStream(
  nats: NatsSettings,
  store: KeyStore,
  work: (keys: CommandKeys) => void | Promise<void>,
): Promise<void> {
  const link = await NatsLink.connect(nats, 'crossbook keys');
  try {
    const stream = await KeyStream.open(link, store);
    await work({ read: store.read, change: it => stream.change(it) });
  } finally {
    await link.close();
  }
}

/** Prints records as a table, or with `--json` as JSON. */
export function listOf<Row extends object>(
  head: readonly string[],
  read: (records: KeyRecords) => readonly Row[],
  cells: (row: Row) => readonly string[],
  jsonOf: (row: Row) => object = row => row,
): Subcommand {
  const list: OnKeyStore = (store, args, io) => {
    const rows = read(store.read());
    io.out(args.has('json') ? jsonText(rows.map(jsonOf)) : tableText(head, rows.map(cells)));
  };
  return { flags: ['json'], run: onKeyStore(list, { isRead: true }) };
}

/** The names on the command line of the fields of records. */
const OPTIONS: Readonly<Record<string, string>> = {
  podId: 'POD',
  actorId: 'ACTOR',
  keyId: 'KEYID',
  apiKeyId: 'APIKEYID',
  publicKeyHex: '--public-key',
  scopes: '--scopes',
  addresses: '--address',
  label: '--label',
};

/** Returns the value of a result. Throws a UsageError in the words of the command line if the result is a failure. */
export function accepted<T>(result: Result<T, string>): T {
  if (result.ok) return result.value;
  throw new UsageError(result.error.replace(/^\w+(?=:)/, field => OPTIONS[field] ?? field));
}

/** The actor in `--actor`, within the pod in `--pod`. `--pod` may be absent if only one pod has such an actor. */
export function findActor(store: CommandKeys, args: Arguments): Actor {
  const actorId = args.required('actor');
  const podId = args.one('pod');
  const { pods, actors } = store.read();
  if (podId !== undefined && !pods.some(pod => pod.podId === podId)) {
    throw new UsageError(`--pod: there is no pod ${podId}`);
  }
  const found = actors.filter(actor => actor.actorId === actorId && (podId ?? actor.podId) === actor.podId);
  const [actor] = found;
  if (actor === undefined) {
    throw new UsageError(`--actor: there is no actor ${actorId}${podId === undefined ? '' : ` in pod ${podId}`}`);
  }
  if (found.length === 1) return actor;
  throw new UsageError(`--pod: is required, actor ${actorId} is in ${found.map(it => it.podId).join(', ')}`);
}

/** Writes a secret to the file in `--out`, which must not exist. */
export function writeSecret(path: string, text: string): void {
  try {
    if (writePrivateFile(path, text)) return;
  } catch (error) {
    throw new StoreError(`--out: ${path} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
  throw new UsageError(`--out: ${path} exists already and is not overwritten`);
}

export function now(): UnixMillis {
  return Date.now() as UnixMillis;
}

/** `active`, or the time at which it was revoked. */
export function statusText({ revokedAt }: { readonly revokedAt: UnixMillis | null }): string {
  return revokedAt === null ? 'active' : `revoked ${timeText(revokedAt)}`;
}

/** Sorts records: active keys come first, and older keys before newer ones. */
export function listed<T extends { readonly createdAt: UnixMillis; readonly revokedAt: UnixMillis | null }>(
  keys: readonly T[],
): readonly T[] {
  return keys.toSorted(
    (a, b) => Number(a.revokedAt !== null) - Number(b.revokedAt !== null) || a.createdAt - b.createdAt,
  );
}

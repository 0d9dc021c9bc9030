// Pods, actors and keys on disk (contract §2), in an LMDB environment of their own. The command line changes them while the gateway
// reads: each request asks for the version, and reads everything again if it has changed. Any thread.

import { join } from 'node:path';
import type { KeyRecords } from '../domain/identity.ts';
import type { Result } from '../domain/result.ts';
import { limits } from '../limits.ts';
import { StampedFile } from './file-stamp.ts';
import { decodeRecord, encodeRecord, type KeyRecord, KINDS, recordName } from './key-record.ts';
import { type KeyBounds, type KeyChanges, KeyRegistry, type KeyTransaction } from './key-registry.ts';
import { type Entry, openEnvironment } from './lmdb.ts';
import { DATA_NAME } from './lmdb-files.ts';
import { StoreError } from './store-error.ts';

/** Every method throws a StoreError that names the record or file when the store is damaged or the disk fails. */
export interface KeyStore extends KeyChanges {
  /** Number of the latest commit of any process. Cheap enough for every request; does not wait for a frozen disk. */
  version(): number;
  /** One read snapshot. Ask for the version before it: a change in between is then read twice rather than missed. */
  read(): KeyRecords;
  /** Several changes as one, on disk when it returns. If `work` fails, nothing changes. Blocks the thread for a flush. */
  change<T>(work: (transaction: KeyTransaction) => Result<T, string>): Result<T, string>;
  close(): Promise<void>;
}

/** Name of the record that counts changes. */
const VERSION_NAME = 'version';

/** Creates the folder and an empty store if there is none. Throws a StoreError. */
export function openKeyStore(folder: string, bounds: KeyBounds = limits): KeyStore {
  const environment = openEnvironment(folder, limits.keyStoreBytes);
  const file = new StampedFile(join(folder, DATA_NAME));
  /** The version as of the file's stamp. */
  let known = { stamp: null as string | null, version: 0 };

  function load(entries: readonly Entry[]): { readonly registry: KeyRegistry; readonly version: number } {
    const registry = new KeyRegistry(bounds);
    const records = entries.filter(({ key }) => key !== VERSION_NAME).map(decoded);
    for (const kind of KINDS) {
      for (const record of records) {
        const refusal = record.kind === kind ? registry.admit(record) : null;
        if (refusal !== null) throw damage(recordName(record), refusal);
      }
    }
    const version = versionOf(entries.find(({ key }) => key === VERSION_NAME)?.value);
    if (version === 0 && records.length > 0) throw damage(VERSION_NAME, 'is missing');
    return { registry, version };
  }

  function decoded({ key, value }: Entry): KeyRecord {
    const record = decodeRecord(key, value);
    if (!record.ok) throw damage(key, record.error);
    return record.value;
  }

  function versionOf(bytes: Uint8Array | undefined): number {
    if (bytes === undefined) return 0;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
    const version = Number(text);
    if (String(version) === text && Number.isSafeInteger(version) && version > 0) return version;
    throw damage(VERSION_NAME, 'is not a count of changes');
  }

  function damage(name: string, fault: string): StoreError {
    return new StoreError(`key store ${folder}: record ${JSON.stringify(name)}: ${fault}`);
  }

  function change<T>(work: (transaction: KeyTransaction) => Result<T, string>): Result<T, string> {
    return environment.transact(transaction => {
      const { registry, version } = load(transaction.entries());
      const result = work(registry);
      if (!result.ok || registry.written.length === 0) return result;
      for (const record of registry.written) transaction.put(recordName(record), encodeRecord(record));
      transaction.put(VERSION_NAME, Buffer.from(String(version + 1)));
      return result;
    });
  }

  return {
    version() {
      const stamp = file.stamp();
      if (stamp === null || stamp !== known.stamp) known = { stamp, version: versionOf(environment.get(VERSION_NAME)) };
      return known.version;
    },
    read: () => load(environment.entries()).registry.records(),
    change,
    createPod: pod => change(it => it.createPod(pod)),
    createActor: actor => change(it => it.createActor(actor)),
    setActorLimits: (podId, actorId, limitChange) => change(it => it.setActorLimits(podId, actorId, limitChange)),
    addSigningKey: key => change(it => it.addSigningKey(key)),
    revokeSigningKey: (keyId, now) => change(it => it.revokeSigningKey(keyId, now)),
    addApiKey: key => change(it => it.addApiKey(key)),
    revokeApiKey: (apiKeyId, now) => change(it => it.revokeApiKey(apiKeyId, now)),
    close() {
      file.close();
      return environment.close();
    },
  };
}

// `crossbook backup` and `crossbook restore` copy the whole data directory. The gateway may run or not. A backup has `data`, a data
// directory as of one moment, and `manifest.json`. The manifest is written last, and has the size and the SHA-256 of each file. Each file
// of LMDB is copied as one read snapshot, while others read and write.

import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, join, relative, resolve, sep } from 'node:path';
import { openCatalogStore } from '../../catalog/catalog-store.ts';
import { wordsOf } from '../../core/domain/error-words.ts';
import { isObject, objectsOf, parseJson, textOf } from '../../core/domain/json.ts';
import { makePrivateFolder, readPrivateFile, writePrivateFile } from '../../core/runtime/private-file.ts';
import { installedVersion } from '../../core/runtime/version.ts';
import { GATEWAY_ID_NAME, RESTORE_DRAFT, refusePartOfRestore } from '../../core/store/data-files.ts';
import { nodeFiles } from '../../core/store/files.ts';
import { openKeyStore } from '../../core/store/key-store.ts';
import { openRowEnvironment } from '../../core/store/lmdb.ts';
import { DATA_NAME, usedBytes } from '../../core/store/lmdb-files.ts';
import { takeOwnership } from '../../core/store/owner-lock.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import { knownPath, refuseUnknownFolder } from '../../orders/history/known-ledger.ts';
import { HISTORY_DRAFT, hasLedger } from '../../orders/history/ledger-folder.ts';
import { copyHistory } from '../../orders/history/upkeep.ts';
import { type Arguments, type CommandIo, dataDirOf, readArguments, runCommand, UsageError } from './command-io.ts';
import { existingAbove } from './machine-findings.ts';
import { Progress } from './progress.ts';
import { withTables } from './store.ts';

export const BACKUP_USAGE = `  backup DIR
      copies the data directory (orders, keys, secrets of the pods, catalog) into DIR, which is new or empty; the gateway may run
      --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data

    crossbook backup /backups/crossbook-2026-11-28
    crossbook backup copy --data-dir /var/lib/crossbook
`;

export const RESTORE_USAGE = `  restore DIR
      makes a data directory of the backup in DIR, after a check of every file; refuses one that has anything in it
      --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data

    crossbook restore /backups/crossbook-2026-11-28
    crossbook restore copy --data-dir restored
`;

export function backupCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () => backup(readArguments(args, NAMES), io));
}

export function restoreCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () => restore(readArguments(args, NAMES), io));
}

const NAMES = { options: ['data-dir'], positionals: ['DIR'] };
/** The folders of which every data directory has at least one. */
const STORES = ['orders', 'keys'];

async function backup(args: Arguments, io: CommandIo): Promise<void> {
  const [dataDir, target] = [dataDirOf(args, io), args.positionals[0]!];
  if (!existsSync(dataDir)) throw new UsageError(`--data-dir: there is no ${dataDir}`);
  refusePartOfRestore(dataDir);
  if (isWithin(target, dataDir)) throw new UsageError(`DIR: must not be in ${dataDir}, which it is a copy of`);
  if (!isVacant('DIR', target)) throw new UsageError(`DIR: ${target} is not empty`);
  if (!STORES.some(name => existsSync(join(dataDir, name))))
    throw new UsageError(`--data-dir: ${dataDir} holds neither orders nor keys`);
  const isThere = existsSync(target);
  const made = { version: installedVersion(), madeAt: new Date().toISOString() };
  const { files } = await makeBackup(dataDir, target, made, io).catch(error => {
    // An incomplete backup is of no use, and may have filled the disk.
    for (const name of isThere ? readdirSync(target) : [''])
      rmSync(join(target, name), { recursive: true, force: true });
    throw error;
  });
  const bytes = files.reduce((sum, it) => sum + it.bytes, 0);
  io.out(`${files.length} files, ${bytes} bytes are in ${target}\n`);
}

/**
 * Restores into a draft within the folder until the copy is complete, so that no gateway starts on a part. The folder itself may be a
 * mount, or may lie in a folder of other owners.
 */
function restore(args: Arguments, io: CommandIo): void {
  const [dataDir, source] = [dataDirOf(args, io), args.positionals[0]!];
  refuseUnlessVacant(dataDir);
  const manifest = verifiedManifest(source, io);
  const draft = join(dataDir, RESTORE_DRAFT);
  makePrivateFolder(draft);
  // The draft has the lock of this restore, with the copied files beside it.
  const giveUp = takeOwnership(draft);
  try {
    // Another restore may have ended in the meantime.
    refuseUnlessVacant(dataDir);
    const copied = copyInto(draft, source, manifest, io);
    for (const name of readdirSync(copied)) renameSync(join(copied, name), join(dataDir, name));
    nodeFiles.syncFolder(dataDir);
    rmSync(draft, { recursive: true });
  } finally {
    giveUp();
  }
  nodeFiles.syncFolder(dataDir);
  io.out(`${manifest.files.length} files of ${manifest.madeAt} are in ${dataDir}\n`);
  if (manifest.files.some(({ path }) => path === GATEWAY_ID_NAME))
    io.out(`its gateway has a new id: crossbook pods take POD gives it a pod that is a stream\n`);
}

/** Copies the data into a folder in the draft, and returns that folder. If the copy fails, the folder is removed. */
function copyInto(draft: string, source: string, manifest: Manifest, io: CommandIo): string {
  const copied = join(draft, 'data');
  rmSync(copied, { recursive: true, force: true });
  try {
    copyBackup(source, manifest, copied, io);
    // The gateway of the backup may still run. If two gateways had the same id, each would count as the owner of its pod.
    rmSync(join(copied, GATEWAY_ID_NAME), { force: true });
    return copied;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

function refuseUnlessVacant(dataDir: string): void {
  if (!isVacant('--data-dir', dataDir, RESTORE_DRAFT))
    throw new UsageError(`--data-dir: ${dataDir} is not empty: move it away first`);
}

/** Whether the folder is missing or empty. Throws a UsageError if the path is not a folder, or a folder that cannot be read. */
function isVacant(option: string, folder: string, besides?: string): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return true;
  try {
    return readdirSync(folder).every(name => name === besides);
  } catch (error) {
    throw new UsageError(`${option}: ${folder} cannot be used as a folder (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Whether the path is within the folder. Compares real paths, because a link may stand for either. */
function isWithin(path: string, folder: string): boolean {
  const above = existingAbove(resolve(path));
  const real = join(realpathSync(above), relative(above, resolve(path)));
  return relative(realpathSync(folder), real).split(sep)[0] !== '..';
}

const FORM = 1;
const MANIFEST = 'manifest.json';
const MANIFEST_BYTES_MAX = 64 * 1_024 * 1_024;
const DATA = 'data';
const ORDERS = 'orders';
/** An environment of LMDB other than that of the orders. */
interface Environment {
  /** The largest size of its file. */
  readonly bytes: number;
  /** Reads every record of a copy. Rejects with a StoreError that names a damaged record. */
  readonly check: (folder: string) => Promise<void>;
}

/** The environments by the names of their folders. */
const ENVIRONMENTS: Readonly<Record<string, Environment>> = {
  keys: { bytes: limits.keyStoreBytes, check: checkKeys },
  catalog: { bytes: limits.catalogStoreBytes, check: checkCatalog },
};
const CHUNK_BYTES = 1_024 * 1_024;

interface CopiedFile {
  /** The path below the data directory. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

interface Manifest {
  readonly version: string;
  readonly madeAt: string;
  readonly files: readonly CopiedFile[];
}

/** Makes a backup. The target folder is empty, or is made. Rejects with a StoreError or a UsageError that names the obstacle. */
async function makeBackup(
  dataDir: string,
  target: string,
  made: Pick<Manifest, 'version' | 'madeAt'>,
  io: CommandIo,
): Promise<Manifest> {
  const data = join(target, DATA);
  makePrivateFolder(data);
  // Orders come first, so that the data that they depend on exists in the copy, too.
  const orders = join(dataDir, ORDERS);
  refuseUnknownFolder(nodeFiles, orders, false);
  const names = readdirSync(dataDir)
    // The file that recognizes the orders folder is not copied, because the copy is another folder.
    .filter(name => !name.startsWith(basename(knownPath(orders))))
    .sort((one, other) => Number(other === ORDERS) - Number(one === ORDERS));
  for (const name of names) await copyEntry(join(dataDir, name), join(data, name), name, io);
  const files = filesBelow(data).map(path => ({ path: relative(data, path), ...hashOf(path) }));
  const manifest = { form: FORM, ...made, files };
  writePrivateFile(join(target, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

async function copyEntry(from: string, to: string, name: string, io: CommandIo): Promise<void> {
  const kind = ENVIRONMENTS[name];
  const stats = statSync(from, { throwIfNoEntry: false });
  if (stats === undefined) {
    if (lstatSync(from, { throwIfNoEntry: false }) !== undefined)
      throw new StoreError(`${from}: is a symbolic link to a missing file`);
    // The file was a draft, which is finished by now under its final name.
    return;
  }
  if (name === ORDERS) {
    if (!hasLedger(from)) throw new StoreError(`${from}: holds no orders`);
    await withTables(from, tables =>
      new Progress(io.progress, name, usedBytes(tables.folder)).during(join(to, HISTORY_DRAFT, DATA_NAME), () =>
        copyHistory(from, tables, to),
      ),
    );
  } else if (kind !== undefined) await copyEnvironment(from, to, kind);
  else if (stats.isDirectory()) {
    makePrivateFolder(to);
    for (const below of readdirSync(from)) await copyEntry(join(from, below), join(to, below), '', io);
  } else if (stats.isFile()) copyFile(from, to);
}

async function copyEnvironment(from: string, to: string, { bytes, check }: Environment): Promise<void> {
  // Opening a missing environment would create an empty one.
  if (!existsSync(join(from, DATA_NAME))) throw new StoreError(`${from}: its ${DATA_NAME} is missing`);
  makePrivateFolder(to);
  const environment = openRowEnvironment(from, bytes);
  try {
    await environment.copyTo(to);
  } finally {
    await environment.close();
  }
  await check(to);
  flush(join(to, DATA_NAME));
}

async function checkKeys(folder: string): Promise<void> {
  const store = openKeyStore(folder);
  try {
    store.read();
  } finally {
    await store.close();
  }
}

/** Checks the catalog. Damaged listings are no loss, because the venues have them. */
async function checkCatalog(folder: string): Promise<void> {
  await openCatalogStore(folder).store.close();
}

/**
 * Reads and verifies the manifest. Throws a UsageError if the folder is not a complete backup, and a StoreError that names a file that differs
 * from the manifest.
 */
function verifiedManifest(backup: string, io: CommandIo): Manifest {
  const manifest = readManifest(join(backup, MANIFEST));
  const bar = new Progress(io.progress, 'verifying', sumOf(manifest));
  let done = 0;
  for (const file of manifest.files) {
    const path = join(backup, DATA, file.path);
    const found = statSync(path, { throwIfNoEntry: false })?.isFile() === true ? hashOf(path) : null;
    if (found?.bytes !== file.bytes || found.sha256 !== file.sha256)
      throw new StoreError(`${path}: is ${found === null ? 'missing' : 'not what was copied'}`);
    done += file.bytes;
    bar.reach(done);
  }
  bar.end();
  return manifest;
}

/** Copies a verified backup into a new folder, and verifies the written files. */
function copyBackup(backup: string, manifest: Manifest, target: string, io: CommandIo): void {
  const bar = new Progress(io.progress, 'restoring', sumOf(manifest));
  let done = 0;
  makePrivateFolder(target);
  for (const { path, bytes, sha256 } of manifest.files) {
    const to = join(target, path);
    makePrivateFolder(join(to, '..'));
    if (copyFile(join(backup, DATA, path), to) !== sha256) throw new StoreError(`${to}: was not copied as it is`);
    done += bytes;
    bar.reach(done);
  }
  bar.end();
}

function readManifest(path: string): Manifest {
  const text = readPrivateFile(path, MANIFEST_BYTES_MAX);
  if (!text.ok) {
    const what = text.error.isMissing ? 'is not a complete backup: ' : '';
    throw new UsageError(`DIR: ${what}${path} ${text.error.words}`);
  }
  const value = parseJson(text.value);
  if (!isObject(value) || value.form !== FORM) throw new UsageError(`DIR: ${path} is not of form ${FORM}`);
  const files = objectsOf(value.files).map(it => ({
    path: textOf(it.path),
    bytes: Number(it.bytes),
    sha256: textOf(it.sha256),
  }));
  const odd = files.find(({ path }) => path === '' || path.startsWith('/') || path.split('/').includes('..'));
  if (odd !== undefined) throw new UsageError(`DIR: ${path} names a file outside of the backup`);
  return { version: textOf(value.version), madeAt: textOf(value.madeAt), files };
}

function sumOf({ files }: Manifest): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(it => (it.isDirectory() ? filesBelow(join(folder, it.name)) : [join(folder, it.name)]));
}

function hashOf(path: string): Pick<CopiedFile, 'bytes' | 'sha256'> {
  let bytes = 0;
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    bytes = eachChunk(file, chunk => hash.update(chunk));
  } finally {
    closeSync(file);
  }
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Copies into a new private file, which is on disk when this returns. Returns the SHA-256 of the copied bytes. Throws a StoreError that
 * names both files.
 */
function copyFile(from: string, to: string): string {
  const hash: Hash = createHash('sha256');
  const opened: number[] = [];
  try {
    const source = openSync(from, 'r');
    opened.push(source);
    const copy = openSync(to, 'wx', 0o600);
    opened.push(copy);
    eachChunk(source, chunk => {
      hash.update(chunk);
      for (let written = 0; written < chunk.length; ) written += writeSync(copy, chunk, written);
    });
    fsyncSync(copy);
  } catch (error) {
    throw new StoreError(`${from}: is not copied to ${to}: ${wordsOf(error)}`);
  } finally {
    for (const file of opened) closeSync(file);
  }
  return hash.digest('hex');
}

/** Reads a file in chunks. Returns the number of bytes. */
function eachChunk(file: number, take: (chunk: Uint8Array) => void): number {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let total = 0;
  for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
    take(buffer.subarray(0, read));
    total += read;
  }
  return total;
}

function flush(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

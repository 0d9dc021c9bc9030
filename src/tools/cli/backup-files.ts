// The content of a backup: `data`, a data directory as of one moment, and `manifest.json`. The manifest is written last, with the size
// and the SHA-256 of each of its files. LMDB's files are copied as one read snapshot each, while others read and write.

import { createHash, type Hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { openCatalogStore } from '../../catalog/catalog-store.ts';
import { wordsOf } from '../../core/domain/error-words.ts';
import { isObject, objectsOf, parseJson, textOf } from '../../core/domain/json.ts';
import { makePrivateFolder, readPrivateFile, writePrivateFile } from '../../core/runtime/private-file.ts';
import { nodeFiles } from '../../core/store/files.ts';
import { openKeyStore } from '../../core/store/key-store.ts';
import { openRowEnvironment } from '../../core/store/lmdb.ts';
import { DATA_NAME, usedBytes } from '../../core/store/lmdb-files.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { limits } from '../../limits.ts';
import { knownPath, refuseUnknownFolder } from '../../orders/history/known-ledger.ts';
import { HISTORY_DRAFT, holdsLedger } from '../../orders/history/ledger-folder.ts';
import { copyHistory } from '../../orders/history/upkeep.ts';
import { type CommandIo, UsageError } from './command-io.ts';
import { withTables } from './ledger-tables.ts';
import { Progress } from './progress.ts';

const FORM = 1;
const MANIFEST = 'manifest.json';
const MANIFEST_BYTES_MAX = 64 * 1_024 * 1_024;
const DATA = 'data';
const ORDERS = 'orders';
/** An environment of LMDB beside that of the orders. */
interface Environment {
  /** The most bytes of its file. */
  readonly bytes: number;
  /** Reads every record of a copy. Rejects with a StoreError that names one that is damaged. */
  readonly check: (folder: string) => Promise<void>;
}

/** Environments by the names of their folders. */
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

export interface Manifest {
  readonly version: string;
  readonly madeAt: string;
  readonly files: readonly CopiedFile[];
}

/** Makes a backup. Rejects with a StoreError or UsageError that names the obstacle. The folder is empty, or is made. */
export async function makeBackup(
  dataDir: string,
  target: string,
  made: Pick<Manifest, 'version' | 'madeAt'>,
  io: CommandIo,
): Promise<Manifest> {
  const data = join(target, DATA);
  makePrivateFolder(data);
  // Orders come first: the data on which they depend was there before them.
  const orders = join(dataDir, ORDERS);
  refuseUnknownFolder(nodeFiles, orders, false);
  const names = readdirSync(dataDir)
    // The copy is a folder of its own.
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
    // A draft of a file that is finished by now.
    return;
  }
  if (name === ORDERS) {
    if (!holdsLedger(from)) throw new StoreError(`${from}: holds no orders`);
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
  // Opening the environment would make an empty one.
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

/** A damaged listing is no loss: the venues have it. */
async function checkCatalog(folder: string): Promise<void> {
  await openCatalogStore(folder).store.close();
}

/** Throws a UsageError if the folder is no complete backup, and a StoreError that names a file that differs from its copy. */
export function verifiedManifest(backup: string, io: CommandIo): Manifest {
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
export function copyBackup(backup: string, manifest: Manifest, target: string, io: CommandIo): void {
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
    const what = text.error.isMissing ? 'is no complete backup: ' : '';
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
 * Makes a new private file, on disk when it returns. Returns the SHA-256 of the copied bytes. Throws a StoreError that names both files.
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

/** Returns the number of bytes. */
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

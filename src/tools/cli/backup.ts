// `crossbook backup` and `crossbook restore`: the whole data directory, while the gateway runs or not.

import { existsSync, lstatSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { makePrivateFolder } from '../../core/runtime/private-file.ts';
import { installedVersion } from '../../core/runtime/version.ts';
import { GATEWAY_ID_NAME, RESTORE_DRAFT, refusePartOfRestore } from '../../core/store/data-files.ts';
import { nodeFiles } from '../../core/store/files.ts';
import { takeOwnership } from '../../core/store/owner-lock.ts';
import { copyBackup, type Manifest, makeBackup, verifiedManifest } from './backup-files.ts';
import { type Arguments, type CommandIo, dataDirOf, readArguments, runCommand, UsageError } from './command-io.ts';
import { existingAbove } from './machine-findings.ts';

export const BACKUP_USAGE = `  backup DIR
      copies the data directory (orders, keys, secrets of the pods, catalog) into DIR, which is new or empty; the gateway may run
`;

export const RESTORE_USAGE = `  restore DIR
      makes a data directory of the backup in DIR, after a check of every file; refuses one that has anything in it
      all of backup and restore: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data
`;

export function backupCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () => backup(readArguments(args, NAMES), io));
}

export function restoreCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () => restore(readArguments(args, NAMES), io));
}

const NAMES = { options: ['data-dir'], positionals: ['DIR'] };
/** Every data directory has one of these. */
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
    // A part is of no use, and may have filled the disk.
    for (const name of isThere ? readdirSync(target) : [''])
      rmSync(join(target, name), { recursive: true, force: true });
    throw error;
  });
  const bytes = files.reduce((sum, it) => sum + it.bytes, 0);
  io.out(`${files.length} files, ${bytes} bytes are in ${target}\n`);
}

/**
 * Restores into a draft within the folder until it is complete, so that no gateway starts on a part. The folder may be a mount, or in a
 * folder of others.
 */
function restore(args: Arguments, io: CommandIo): void {
  const [dataDir, source] = [dataDirOf(args, io), args.positionals[0]!];
  refuseUnlessVacant(dataDir);
  const manifest = verifiedManifest(source, io);
  const draft = join(dataDir, RESTORE_DRAFT);
  makePrivateFolder(draft);
  // The draft has the lock of its restore, and beside it the copied files.
  const giveUp = takeOwnership(draft);
  try {
    // Another restore may have ended meanwhile.
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

/** The folder of the copy. If the copy fails, there is no folder. */
function copyInto(draft: string, source: string, manifest: Manifest, io: CommandIo): string {
  const copied = join(draft, 'data');
  rmSync(copied, { recursive: true, force: true });
  try {
    copyBackup(source, manifest, copied, io);
    // The gateway of the backup may still run: of two with one id each would own its pod.
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

/** Throws a UsageError where there is something else than a folder, or a folder that cannot be read. */
function isVacant(option: string, folder: string, besides?: string): boolean {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return true;
  try {
    return readdirSync(folder).every(name => name === besides);
  } catch (error) {
    throw new UsageError(`${option}: ${folder} cannot be used as a folder (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Compares real paths, since a link may name either. */
function isWithin(path: string, folder: string): boolean {
  const above = existingAbove(resolve(path));
  const real = join(realpathSync(above), relative(above, resolve(path)));
  return relative(realpathSync(folder), real).split(sep)[0] !== '..';
}

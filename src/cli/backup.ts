// `crossbook backup` and `crossbook restore`: the whole data directory, while the gateway runs or not.

import { existsSync, readdirSync, realpathSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { installedVersion } from '../runtime/version.ts';
import { nodeFiles } from '../store/files.ts';
import { RESTORE_DRAFT, refusePartOfRestore } from '../store/restore-draft.ts';
import { copyBackup, makeBackup, verifiedManifest } from './backup-files.ts';
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

async function backup(args: Arguments, io: CommandIo): Promise<void> {
  const [dataDir, target] = [dataDirOf(args, io), args.positionals[0]!];
  if (!existsSync(dataDir)) throw new UsageError(`--data-dir: there is no ${dataDir}`);
  refusePartOfRestore(dataDir);
  if (isWithin(target, dataDir)) throw new UsageError(`DIR: must not be in ${dataDir}, which it is a copy of`);
  if (!isVacant(target)) throw new UsageError(`DIR: ${target} is not empty`);
  const { files } = await makeBackup(
    dataDir,
    target,
    { version: installedVersion(), madeAt: new Date().toISOString() },
    io,
  );
  const bytes = files.reduce((sum, it) => sum + it.bytes, 0);
  io.out(`${files.length} files, ${bytes} bytes are in ${target}\n`);
}

/** In a draft within the folder until it is complete, and no gateway starts on a part. The folder may be a mount, or in one of others. */
function restore(args: Arguments, io: CommandIo): void {
  const [dataDir, source] = [dataDirOf(args, io), args.positionals[0]!];
  const draft = join(dataDir, RESTORE_DRAFT);
  if (!isVacant(dataDir, RESTORE_DRAFT))
    throw new UsageError(`--data-dir: ${dataDir} is not empty: move it away first`);
  const manifest = verifiedManifest(source, io);
  rmSync(draft, { recursive: true, force: true });
  try {
    copyBackup(source, manifest, draft, io);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  for (const name of readdirSync(draft)) renameSync(join(draft, name), join(dataDir, name));
  nodeFiles.syncFolder(dataDir);
  rmdirSync(draft);
  nodeFiles.syncFolder(dataDir);
  io.out(`${manifest.files.length} files of ${manifest.madeAt} are in ${dataDir}\n`);
}

function isVacant(folder: string, besides?: string): boolean {
  return !existsSync(folder) || readdirSync(folder).every(name => name === besides);
}

/** By their real paths: a link may name either. */
function isWithin(path: string, folder: string): boolean {
  const above = existingAbove(resolve(path));
  const real = join(realpathSync(above), relative(above, resolve(path)));
  return relative(realpathSync(folder), real).split(sep)[0] !== '..';
}

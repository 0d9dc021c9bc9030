// The command line: `crossbook <command> …`. Each command has a file of its own; this one finds it.

import { wordsOf } from '../../core/domain/error-words.ts';
import { installedVersion } from '../../core/runtime/version.ts';
import { BACKUP_USAGE, backupCommand, RESTORE_USAGE, restoreCommand } from './backup.ts';
import { CALL_USAGE, callCommand } from './call.ts';
import { CATALOG_USAGE, catalogCommand } from './catalog.ts';
import { type CommandIo, type RunCommand, readArguments, runCommand } from './command-io.ts';
import { API_KEYS_USAGE, apiKeysCommand, KEYS_USAGE, keysCommand } from './keys.ts';
import { LIMITS_USAGE, limitsCommand } from './limits.ts';
import { ORDER_USAGE, orderCommand } from './order.ts';
import { PAPER_USAGE, paperCommand } from './paper.ts';
import { PODS_USAGE, podsCommand } from './pods.ts';
import { POSITION_USAGE, positionCommand } from './position.ts';
import { PROTECTION_USAGE, protectionCommand } from './protection.ts';
import { RECORD_USAGE, recordCommand } from './record.ts';
import {
  DOCTOR_USAGE,
  doctorCommand,
  START_USAGE,
  startCommand,
  VENUE_B_USAGE,
  venueBProgram,
  watchedCommand,
} from './start.ts';
import { STATUS_USAGE, statusCommand } from './status.ts';
import { RESUME_USAGE, resumeCommand, STOP_USAGE, stopCommand } from './stop.ts';
import { STORE_USAGE, storeCommand } from './store.ts';
import { BOOK_USAGE, bookCommand } from './watch-book.ts';

interface Command {
  readonly usage: string;
  readonly run: RunCommand;
}

const VERSION_USAGE = `  version, or --version
`;
const HELP_USAGE = `  help [COMMAND]
`;

const HISTORY = { what: 'the history', advice: 'restore a backup of it' };
/** LMDB does not say which. */
const STORES = {
  what: 'the orders, keys or catalog',
  advice: 'restore an earlier backup of what store check, keys list or catalog unread cannot read either',
};

const KEYS = { what: 'the keys', advice: 'restore a backup of them, and repeat later revocations' };
const CATALOG = { what: 'the catalog', advice: 'restore a backup of it' };

const COMMANDS = new Map<string, Command>([
  ['start', { usage: START_USAGE, run: startCommand }],
  ['book', { usage: BOOK_USAGE, run: (args, io) => bookCommand(args, io, process.stdout.isTTY === true) }],
  ['call', { usage: CALL_USAGE, run: callCommand }],
  ['order', { usage: ORDER_USAGE, run: orderCommand }],
  ['position', { usage: POSITION_USAGE, run: positionCommand }],
  ['protection', { usage: PROTECTION_USAGE, run: protectionCommand }],
  ['keys', { usage: KEYS_USAGE, run: watchedCommand('keys', keysCommand, KEYS) }],
  ['api-keys', { usage: API_KEYS_USAGE, run: watchedCommand('api-keys', apiKeysCommand, KEYS) }],
  ['pods', { usage: PODS_USAGE, run: watchedCommand('pods', podsCommand, KEYS) }],
  ['limits', { usage: LIMITS_USAGE, run: watchedCommand('limits', limitsCommand, KEYS) }],
  ['doctor', { usage: DOCTOR_USAGE, run: watchedCommand('doctor', doctorCommand, KEYS) }],
  ['status', { usage: STATUS_USAGE, run: (args, io) => statusCommand(args, io, process.stdout.isTTY === true) }],
  ['stop', { usage: STOP_USAGE, run: stopCommand }],
  ['resume', { usage: RESUME_USAGE, run: resumeCommand }],
  ['venue-b', { usage: VENUE_B_USAGE, run: venueBProgram }],
  ['catalog', { usage: CATALOG_USAGE, run: watchedCommand('catalog', catalogCommand, CATALOG) }],
  ['record', { usage: RECORD_USAGE, run: recordCommand }],
  ['store', { usage: STORE_USAGE, run: watchedCommand('store', storeCommand, HISTORY) }],
  ['backup', { usage: BACKUP_USAGE, run: watchedCommand('backup', backupCommand, STORES) }],
  ['restore', { usage: RESTORE_USAGE, run: restoreCommand }],
  ['paper', { usage: PAPER_USAGE, run: paperCommand }],
  ['version', { usage: VERSION_USAGE, run: version }],
  ['help', { usage: HELP_USAGE, run: help }],
]);

function version(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () => {
    readArguments(args, {});
    io.out(`crossbook ${installedVersion()}\n`);
  });
}

async function help([name]: readonly string[], io: CommandIo): Promise<number> {
  const usages = [...COMMANDS].filter(([it]) => name === undefined || it === name).map(([, { usage }]) => usage);
  if (usages.length === 0) return unknown(name, io);
  io.out(`usage: crossbook COMMAND\n\n${usages.join('\n')}`);
  return 0;
}

function unknown(name: string | undefined, io: CommandIo): number {
  const commands = [...COMMANDS.keys()].join(', ');
  io.err(`crossbook: ${name === undefined ? 'no command' : `unknown command ${name}`}; there are ${commands}\n`);
  return 2;
}

const io: CommandIo = {
  out: text => process.stdout.write(text),
  err: text => process.stderr.write(text),
  env: process.env,
  ...(process.stderr.isTTY === true ? { progress: (text: string) => void process.stderr.write(text) } : {}),
};
process.stdout.once('error', (error: NodeJS.ErrnoException) => {
  // The reader of our output has closed it: `crossbook book … | head`.
  if (error.code === 'EPIPE') process.exit(0);
  io.err(`crossbook: standard output: ${wordsOf(error)}\n`);
  process.exit(1);
});
const asked = process.argv.slice(2);
const isHelpFlag = (it: string): boolean => it === '-h' || it === '--help';
const [name, ...args] = asked.some(isHelpFlag) ? ['help', ...asked.filter(it => !isHelpFlag(it)).slice(0, 1)] : asked;
const command = COMMANDS.get(name === '--version' ? 'version' : (name ?? ''));
process.exitCode = command === undefined ? unknown(name, io) : await command.run(args, io);

// The command line: `crossbook <command> …`. Each command has a file of its own; this one finds it.

import { wordsOf } from '../domain/error-words.ts';
import { CALL_USAGE, callCommand } from './call.ts';
import { CATALOG_USAGE, catalogCommand } from './catalog.ts';
import type { CommandIo } from './command-io.ts';
import { API_KEYS_USAGE, apiKeysCommand, KEYS_USAGE, keysCommand } from './keys.ts';
import { LIMITS_USAGE, limitsCommand } from './limits.ts';
import { paperCommand } from './paper.ts';
import { PAPER_USAGE } from './paper-options.ts';
import { PODS_USAGE, podsCommand } from './pods.ts';
import { STORE_USAGE, watchedStoreCommand } from './store.ts';
import { BOOK_USAGE, bookCommand } from './watch-book.ts';

interface Command {
  readonly usage: string;
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

const HELP_USAGE = `  help [COMMAND]
`;

const COMMANDS = new Map<string, Command>([
  ['book', { usage: BOOK_USAGE, run: (args, io) => bookCommand(args, io, process.stdout.isTTY === true) }],
  ['call', { usage: CALL_USAGE, run: callCommand }],
  ['keys', { usage: KEYS_USAGE, run: keysCommand }],
  ['api-keys', { usage: API_KEYS_USAGE, run: apiKeysCommand }],
  ['pods', { usage: PODS_USAGE, run: podsCommand }],
  ['limits', { usage: LIMITS_USAGE, run: limitsCommand }],
  ['catalog', { usage: CATALOG_USAGE, run: catalogCommand }],
  ['store', { usage: STORE_USAGE, run: watchedStoreCommand }],
  ['paper', { usage: PAPER_USAGE, run: paperCommand }],
  ['help', { usage: HELP_USAGE, run: help }],
]);

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
const command = COMMANDS.get(name ?? '');
process.exitCode = command === undefined ? unknown(name, io) : await command.run(args, io);

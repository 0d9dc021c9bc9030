// The input of commands, their exit codes for mistakes and failures, and the parser of options. An unknown or repeated option counts as a
// mistake.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { optionWords } from '../../core/domain/error-words.ts';
import { AssertionFailure } from '../../core/domain/result.ts';
import { isWrapped, UNWRAPPED_RULE } from '../../core/runtime/setting-values.ts';

export interface CommandIo {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Draws progress bars on the terminal of standard error. Absent if standard error is no terminal. */
  readonly progress?: (text: string) => void;
}

/** Runs a command. Resolves to the exit code. */
export type RunCommand = (args: readonly string[], io: CommandIo) => Promise<number>;

/**
 * A command. `usage` is its help. Lines of the help that begin with the command's name show how to call it, and the last paragraph has two
 * examples.
 */
export interface Command {
  readonly usage: string;
  readonly run: RunCommand;
}

/** A mistake of the caller, with exit code 2. The message names the option and the rule. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Runs a command and returns its exit code: 0, 2 for a mistake of the caller, or 1 for a failure outside the program. A mistake or a
 * failure prints one line. Our own faults (AssertionFailure) are thrown further.
 */
export async function runCommand(io: CommandIo, work: () => void | Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (error instanceof AssertionFailure || !(error instanceof Error)) throw error;
    io.err(`crossbook: ${oneLine(error.message)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

export interface Arguments {
  readonly positionals: readonly string[];
  has(flag: string): boolean;
  /** The value of an option. Returns undefined without the option. Throws a UsageError if it is repeated. */
  one(option: string): string | undefined;
  required(option: string): string;
  many(option: string): readonly string[];
}

/** The names of a command's arguments. */
interface ArgumentNames {
  readonly options?: readonly string[];
  readonly flags?: readonly string[];
  readonly positionals?: readonly string[];
  /** Whether more values may follow the last positional argument. */
  readonly hasMore?: boolean;
}

/** A word that may follow a command. Each subcommand also takes `--data-dir`. */
export interface Subcommand extends ArgumentNames {
  readonly run: (args: Arguments, io: CommandIo) => void | Promise<void>;
}

/** A command that runs the subcommand that its first argument names. */
export function withSubcommands(command: string, subcommands: Readonly<Record<string, Subcommand>>): RunCommand {
  const names = Object.keys(subcommands);
  return ([name = '', ...rest], io) =>
    runCommand(io, () => {
      const subcommand = names.includes(name) ? subcommands[name] : undefined;
      if (subcommand === undefined) {
        const all = names.join(', ').replace(/, (?=[^,]*$)/, ' or ');
        throw new UsageError(`${command}: must be followed by ${all}${closest(name, names)}`);
      }
      const { run, options = [], ...others } = subcommand;
      return run(readArguments(rest, { ...others, options: ['data-dir', ...options] }), io);
    });
}

/** Reads the arguments. Throws a UsageError for an unknown option or flag, or for a wrong number of positional arguments. */
export function readArguments(
  args: readonly string[],
  { options = [], flags = [], positionals = [], hasMore = false }: ArgumentNames,
): Arguments {
  const { values, positionals: found } = parsed(args, {
    ...Object.fromEntries(options.map(name => [name, { type: 'string', multiple: true } as const])),
    ...Object.fromEntries(flags.map(name => [name, { type: 'boolean' } as const])),
  });
  if (found.length < positionals.length) throw new UsageError(`${positionals[found.length]}: is required`);
  if (found.length > positionals.length && !hasMore)
    throw new UsageError(`unexpected argument ${found[positionals.length]}`);
  const many = (option: string): readonly string[] => (values[option] as string[] | undefined) ?? [];
  const one = (option: string): string | undefined => {
    if (many(option).length > 1) throw new UsageError(`--${option}: must be given once`);
    return many(option)[0];
  };
  const required = (option: string): string => {
    const value = one(option);
    if (value === undefined) throw new UsageError(`--${option}: is required`);
    return value;
  };
  return { positionals: found, has: flag => values[flag] === true, one, required, many };
}

/** The value of `--data-dir`. The default is the gateway's own default. */
export function dataDirOf(args: Arguments, io: CommandIo): string {
  const folder = args.one('data-dir') ?? io.env.CROSSBOOK_DATA_DIR ?? './data';
  if (folder === '') throw new UsageError('--data-dir, CROSSBOOK_DATA_DIR: must not be empty');
  if (isWrapped(folder)) throw new UsageError(`--data-dir, CROSSBOOK_DATA_DIR: ${UNWRAPPED_RULE}`);
  return folder;
}

/** The address of a gateway on this machine with the same settings, such as `http://127.0.0.1:8080`. */
export function localOrigin({ env }: CommandIo): string {
  const { CROSSBOOK_HOST = LOOPBACK, CROSSBOOK_PORT = '8080', CROSSBOOK_TLS_CERT_FILE } = env;
  const host = EVERY_ADDRESS.has(CROSSBOOK_HOST) ? LOOPBACK : CROSSBOOK_HOST;
  const scheme = CROSSBOOK_TLS_CERT_FILE === undefined ? 'http' : 'https';
  const origin = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${CROSSBOOK_PORT}`;
  if (!URL.canParse(origin)) throw new UsageError(`CROSSBOOK_HOST, CROSSBOOK_PORT: ${origin} is not an address`);
  return origin;
}

const LOOPBACK = '127.0.0.1';
/** The wildcard addresses. A gateway may listen on them, but a client cannot connect to them. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

function parsed(args: readonly string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    const words = optionWords(error);
    const name = /^Unknown option '--([^']*)'/.exec(words)?.[1];
    throw new UsageError(name === undefined ? words : `${words}${closest(name, Object.keys(options), '--')}`);
  }
}

/**
 * A hint such as `, did you mean order?`. It names the closest name that differs by at most a third of its letters. Empty if there is no
 * such name.
 */
export function closest(text: string, names: readonly string[], prefix = ''): string {
  const far = (name: string): number => lettersChanged(text, name);
  const [nearest = ''] = names.toSorted((one, other) => far(one) - far(other));
  return far(nearest) * 3 > Math.max(text.length, nearest.length) ? '' : `, did you mean ${prefix}${nearest}?`;
}

/** The number of letters that are inserted, removed or replaced to turn one word into the other (Levenshtein). */
function lettersChanged(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, its] of [...other].entries())
      next.push(Math.min(row[at + 1]! + 1, next[at]! + 1, row[at]! + (letter === its ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}

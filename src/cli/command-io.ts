// What a command of the command line is given, how its mistakes and failures become exit codes, and the reading of options
// in which nothing is passed over: an unknown or doubled option is a mistake.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { AssertionFailure } from '../domain/result.ts';
import { optionWords } from '../runtime/option-words.ts';

export interface CommandIo {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The caller's mistake: the message names the option and the rule. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Runs a command to its exit code: 0, or 2 for a mistake in what was asked, or 1 if something outside failed. Both say why in
 * one line. Our own faults (AssertionFailure) are thrown on.
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
  /** Undefined if the option is absent; a mistake if it is there more than once. */
  one(option: string): string | undefined;
  required(option: string): string;
  many(option: string): readonly string[];
}

/** Throws a UsageError for anything that is not among the options and flags, or for another number of positionals. */
export function readArguments(
  args: readonly string[],
  {
    options = [],
    flags = [],
    positionals = [],
  }: Partial<Record<'options' | 'flags' | 'positionals', readonly string[]>>,
): Arguments {
  const { values, positionals: found } = parsed(args, {
    ...Object.fromEntries(options.map(name => [name, { type: 'string', multiple: true } as const])),
    ...Object.fromEntries(flags.map(name => [name, { type: 'boolean' } as const])),
  });
  if (found.length < positionals.length) throw new UsageError(`${positionals[found.length]}: is required`);
  if (found.length > positionals.length) throw new UsageError(`unexpected argument ${found[positionals.length]}`);
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

/** Of `--data-dir`, or the gateway's own. */
export function dataDirOf(args: Arguments, io: CommandIo): string {
  const folder = args.one('data-dir') ?? io.env.CROSSBOOK_DATA_DIR ?? './data';
  if (folder === '') throw new UsageError('--data-dir, CROSSBOOK_DATA_DIR: must not be empty');
  return folder;
}

/** `http://127.0.0.1:8080`: where a gateway of this machine listens that was started with the same settings. */
export function localOrigin({ env }: CommandIo): string {
  const { CROSSBOOK_HOST = LOOPBACK, CROSSBOOK_PORT = '8080', CROSSBOOK_TLS_CERT_FILE } = env;
  const host = EVERY_ADDRESS.has(CROSSBOOK_HOST) ? LOOPBACK : CROSSBOOK_HOST;
  const scheme = CROSSBOOK_TLS_CERT_FILE === undefined ? 'http' : 'https';
  const origin = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${CROSSBOOK_PORT}`;
  if (!URL.canParse(origin)) throw new UsageError(`CROSSBOOK_HOST, CROSSBOOK_PORT: ${origin} is no address`);
  return origin;
}

const LOOPBACK = '127.0.0.1';
/** What a gateway may listen on, and nobody is asked at. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

function parsed(args: readonly string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(optionWords(error));
  }
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s*\n\s*/g, ' ');
}

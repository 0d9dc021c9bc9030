// The options of the long runners of `npm run`. `--help` prints the options, and a mistake is explained in one line above them.

import { type ParseArgsConfig, parseArgs } from 'node:util';
import { optionWords } from '../../src/core/domain/error-words.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Ends the process, with exit code 0 or 2, unless the options ask for a run that is possible. `usage` has a line for each option. */
export function runnerOptions<T extends Options>(usage: string, options: T) {
  try {
    const { values } = parseArgs<{ options: T & typeof HELP }>({ options: { ...options, ...HELP } });
    if (!('help' in values)) return values;
  } catch (error) {
    console.error(`${optionWords(error)}\n\n${usage}`);
    process.exit(2);
  }
  console.log(usage);
  process.exit(0);
}

const HELP = { help: { type: 'boolean', short: 'h' } } as const;

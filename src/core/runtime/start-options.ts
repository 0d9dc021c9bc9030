// The command line of the gateway. Main thread, at the start.

import { parseArgs } from 'node:util';
import { limits } from '../../limits.ts';
import { optionWords } from '../domain/error-words.ts';
import { ConfigError, readInteger } from './setting-values.ts';

/** Recorded sessions of venues. `speed` 2 plays twice as fast as recorded. */
export interface Playback {
  readonly files: readonly string[];
  readonly speed: number;
  /** Restarts the recording at its end. */
  readonly loop: boolean;
}

export interface StartOptions {
  readonly recording: Playback | null;
  readonly verbatim: boolean;
  readonly seed: number;
  /** Leaves the data directory of the paper exchanges for a new one. */
  readonly fresh: boolean;
}

const OPTIONS = {
  replay: { type: 'string', multiple: true },
  verbatim: { type: 'boolean' },
  speed: { type: 'string' },
  loop: { type: 'boolean' },
  seed: { type: 'string', default: '1' },
  fresh: { type: 'boolean' },
} as const;

/** Throws a ConfigError for unknown arguments and values out of range. */
export function readStartOptions(argv: readonly string[]): StartOptions {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: OPTIONS,
    });
    if (positionals.length > 0 && values.replay === undefined) {
      throw new ConfigError(`unknown argument ${positionals[0]}: file names follow --replay`);
    }
    const { speed: speedText = '1' } = values;
    const speed = Number(speedText);
    if (!/^\d+(\.\d+)?$/.test(speedText) || !(speed > 0 && speed <= limits.replaySpeedMax)) {
      throw new ConfigError(`--speed: must be a number above 0, at most ${limits.replaySpeedMax}`);
    }
    const ofReplay = (['verbatim', 'speed', 'loop'] as const).find(name => values[name] !== undefined);
    if (values.replay === undefined && ofReplay !== undefined)
      throw new ConfigError(`--${ofReplay}: goes with --replay`);
    // `--replay a b` and `--replay a --replay b` mean the same.
    const files = [...(values.replay ?? []), ...positionals];
    return {
      recording: files.length === 0 ? null : { files, speed, loop: values.loop === true },
      verbatim: values.verbatim === true,
      seed: readInteger('--seed', values.seed, 0, 2 ** 31 - 1),
      fresh: values.fresh === true,
    };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const options = Object.keys(OPTIONS).map(name => `--${name}`);
    throw new ConfigError(
      `${optionWords(error)}; the options are ${options.join(', ')}, and settings like the port are variables of the environment (CROSSBOOK_PORT)`,
    );
  }
}

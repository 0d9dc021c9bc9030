// The command line of the gateway. Main thread, at the start.

import { parseArgs } from 'node:util';
import { limits } from '../../limits.ts';
import { optionWords } from '../domain/error-words.ts';
import type { UnixMillis } from '../domain/numbers.ts';
import { STEPPED } from './played-clock.ts';
import { ConfigError, readInteger } from './setting-values.ts';

/** Recorded sessions of venues to be played. With `speed` 2 they play twice as fast as recorded. */
export interface Playback {
  readonly files: readonly string[];
  readonly speed: number;
  /** Whether the recording starts again at its end. */
  readonly loop: boolean;
}

/** A part of a recording. `from` null means from its beginning, `to` null means to its end. */
export interface Span {
  readonly from: UnixMillis | null;
  readonly to: UnixMillis | null;
}

/** The part of a recording that a backtest plays. */
export interface BacktestSpan extends Span {
  /**
   * The length of a step in milliseconds: all changes that were recorded within a step are delivered at once, at the step's end. 0 means
   * each change at its own time.
   */
  readonly stepMs: number;
}

export interface StartOptions {
  readonly recording: Playback | null;
  /** The span of a backtest, in which the clock of the process is the recording's. Null means that the clock is the machine's. */
  readonly backtest: BacktestSpan | null;
  readonly seed: number;
  /** Whether the paper exchanges leave their data directory for a new one. */
  readonly fresh: boolean;
  /** Whether books come from the real venues, while orders go to the paper exchanges. */
  readonly livePaper: boolean;
}

const OPTIONS = {
  replay: { type: 'string', multiple: true },
  speed: { type: 'string' },
  loop: { type: 'boolean' },
  seed: { type: 'string', default: '1' },
  fresh: { type: 'boolean' },
  'live-paper': { type: 'boolean' },
  backtest: { type: 'boolean' },
  from: { type: 'string' },
  to: { type: 'string' },
  step: { type: 'string' },
} as const;

/** The options that only `crossbook backtest` gives to a gateway. */
const OF_BACKTEST = ['backtest', 'from', 'to', 'step'];

/** Reads the command line. Throws a ConfigError for unknown arguments and for values out of range. */
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
    const speed = readSpeed(values.speed ?? '1', values.backtest === true);
    const ofReplay = (['speed', 'loop', 'backtest'] as const).find(name => values[name] !== undefined);
    if (values.replay === undefined && ofReplay !== undefined)
      throw new ConfigError(`--${ofReplay}: requires --replay`);
    const ofBacktest = (['from', 'to', 'step'] as const).find(name => values[name] !== undefined);
    if (values.backtest !== true && ofBacktest !== undefined)
      throw new ConfigError(`--${ofBacktest}: requires --backtest`);
    const [from, to] = [timeOf('--from', values.from), timeOf('--to', values.to)];
    const backtest = { from, to, stepMs: readStep(values.step ?? '0') };
    // `--replay a b` means the same as `--replay a --replay b`.
    const files = [...(values.replay ?? []), ...positionals];
    return {
      recording: files.length === 0 ? null : { files, speed, loop: values.loop === true },
      backtest: values.backtest === true ? backtest : null,
      seed: readInteger('--seed', values.seed, 0, 2 ** 31 - 1),
      fresh: values.fresh === true,
      livePaper: values['live-paper'] === true,
    };
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const options = Object.keys(OPTIONS).flatMap(name => (OF_BACKTEST.includes(name) ? [] : [`--${name}`]));
    throw new ConfigError(
      `${optionWords(error)}; the options are ${options.join(', ')}, and settings like the port are variables of the environment (CROSSBOOK_PORT)`,
    );
  }
}

/** Reads the speed. The text `max` goes with a backtest only. Throws a ConfigError. */
export function readSpeed(text: string, isBacktest: boolean): number {
  if (text === 'max' && isBacktest) return STEPPED;
  const speed = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && speed > 0 && speed <= limits.replaySpeedMax) return speed;
  const rule = `must be a number above 0, at most ${limits.replaySpeedMax}`;
  throw new ConfigError(`--speed: ${rule}${isBacktest ? ', or max' : ''}`);
}

/** Reads the length of a step in milliseconds; 0 means no steps. Throws a ConfigError. */
export function readStep(text: string): number {
  return readInteger('--step', text, 0, limits.backtestStepMsMax);
}

function timeOf(name: string, text: string | undefined): UnixMillis | null {
  return text === undefined ? null : (readInteger(name, text, 0, Number.MAX_SAFE_INTEGER) as UnixMillis);
}

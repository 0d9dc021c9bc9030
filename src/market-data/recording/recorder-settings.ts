// The settings of the recorder. Main thread, at the start.

import { ConfigError, readInteger } from '../../core/runtime/setting-values.ts';
import { MARKET_CHOICE_RULE, MarketChoice } from './market-choice.ts';

export interface RecorderSettings {
  readonly folder: string;
  readonly markets: MarketChoice;
  /** The most bytes of all files together. */
  readonly bytesMax: number;
}

const RECORDER_VARIABLES = ['CROSSBOOK_RECORD_DIR', 'CROSSBOOK_RECORD_MARKETS', 'CROSSBOOK_RECORD_GB'] as const;

const GB_DEFAULT = '50';
const GB_MAX = 100_000;
const GB_BYTES = 1e9;

/** Null if nothing is recorded. Throws a ConfigError. */
export function readRecorder(env: Readonly<Record<string, string | undefined>>): RecorderSettings | null {
  const [folderName, marketsName, bytesName] = RECORDER_VARIABLES;
  const folder = env[folderName];
  if (folder === undefined) {
    const alone = RECORDER_VARIABLES.find(name => env[name] !== undefined);
    if (alone !== undefined) throw new ConfigError(`${alone}: goes with ${folderName}`);
    return null;
  }
  const text = env[marketsName];
  const markets = text === undefined ? MarketChoice.ALL : MarketChoice.read(text);
  if (typeof markets === 'string') throw new ConfigError(`${marketsName}: "${markets}": must be ${MARKET_CHOICE_RULE}`);
  const gigabytes = readInteger(bytesName, env[bytesName] ?? GB_DEFAULT, 1, GB_MAX);
  return { folder, markets, bytesMax: gigabytes * GB_BYTES };
}

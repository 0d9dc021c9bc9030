// The settings of the recorder. Main thread, at the start.

import { type MarketKey, marketKey, VENUES, type Venue, venueNamed } from '../../core/domain/market.ts';
import { ConfigError, readInteger } from '../../core/runtime/setting-values.ts';

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

/** Returns null if nothing is to be recorded. Throws a ConfigError. */
export function readRecorder(env: Readonly<Record<string, string | undefined>>): RecorderSettings | null {
  const [folderName, marketsName, bytesName] = RECORDER_VARIABLES;
  const folder = env[folderName];
  if (folder === undefined) {
    const alone = RECORDER_VARIABLES.find(name => env[name] !== undefined);
    if (alone !== undefined) throw new ConfigError(`${alone}: requires ${folderName}`);
    return null;
  }
  const text = env[marketsName];
  const markets = text === undefined ? MarketChoice.ALL : MarketChoice.read(text);
  if (typeof markets === 'string') throw new ConfigError(`${marketsName}: "${markets}": must be ${MARKET_CHOICE_RULE}`);
  const gigabytes = readInteger(bytesName, env[bytesName] ?? GB_DEFAULT, 1, GB_MAX);
  return { folder, markets, bytesMax: gigabytes * GB_BYTES };
}

// The choice of recorded markets (`CROSSBOOK_RECORD_MARKETS`): names, or beginnings of names.

interface Choice {
  readonly venue: Venue;
  /** The address of a market, or the beginning of an address if `isPrefix`. */
  readonly text: string;
  readonly isPrefix: boolean;
}

const ENTRY = /^([A-Za-z_-]+):([A-Za-z0-9.-]*)(\*?)$/;

export class MarketChoice {
  /** The markets that are named in full. The gateway subscribes to them itself. */
  readonly named: readonly MarketKey[];
  /** Null means every market that is in use. */
  readonly #choices: readonly Choice[] | null;

  private constructor(choices: readonly Choice[] | null) {
    this.#choices = choices;
    this.named = (choices ?? []).filter(it => !it.isPrefix).map(({ venue, text }) => marketKey(venue, text));
  }

  static readonly ALL = new MarketChoice(null);

  /**
   * Reads a choice such as `venue_b:KXNBAGAME-26NOV21BOSLAL-BOS,venue_b:KXNFL*`. Returns the first entry that is not valid, as a text, if
   * there is one.
   */
  static read(text: string): MarketChoice | string {
    const entries = text.split(',').map(it => it.trim());
    const choices: Choice[] = [];
    for (const entry of entries) {
      const [, venueText = '', name = '', star] = ENTRY.exec(entry) ?? [];
      const venue = venueNamed(venueText, VENUES);
      if (venue === undefined || (name === '' && star === '')) return entry;
      choices.push({ venue, text: name, isPrefix: star === '*' });
    }
    return new MarketChoice(choices);
  }

  has(venue: Venue, address: string): boolean {
    if (this.#choices === null) return true;
    return this.#choices.some(
      it => it.venue === venue && (it.isPrefix ? address.startsWith(it.text) : address === it.text),
    );
  }
}

/** The rule for entries, for error messages. */
export const MARKET_CHOICE_RULE = `entries between commas, each ${VENUES.join(' or ')}, a colon and a market, or the beginning of its name and a *`;

// The choice of recorded markets (`CROSSBOOK_RECORD_MARKETS`): names, or beginnings of names. Pure.

import { type MarketKey, marketKey, VENUES, type Venue } from '../../core/domain/market.ts';

interface Choice {
  readonly venue: Venue;
  /** The address, or its beginning if `isPrefix`. */
  readonly text: string;
  readonly isPrefix: boolean;
}

const ENTRY = /^(venue_a|venue_b):([A-Za-z0-9.-]*)(\*?)$/;

export class MarketChoice {
  /** Named one by one: the gateway subscribes to them itself. */
  readonly named: readonly MarketKey[];
  /** Null means every market that is in use. */
  readonly #choices: readonly Choice[] | null;

  private constructor(choices: readonly Choice[] | null) {
    this.#choices = choices;
    this.named = (choices ?? []).filter(it => !it.isPrefix).map(({ venue, text }) => marketKey(venue, text));
  }

  static readonly ALL = new MarketChoice(null);

  /** `venue_b:KXNBAGAME-26NOV21BOSLAL-BOS,venue_b:KXNFL*`. Text: the entry that is none. */
  static read(text: string): MarketChoice | string {
    const entries = text.split(',').map(it => it.trim());
    const choices: Choice[] = [];
    for (const entry of entries) {
      const [, venue, name = '', star] = ENTRY.exec(entry) ?? [];
      if (venue === undefined || (name === '' && star === '')) return entry;
      choices.push({ venue: venue as Venue, text: name, isPrefix: star === '*' });
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

/** How an entry is written, for messages. */
export const MARKET_CHOICE_RULE = `entries between commas, each ${VENUES.join(' or ')}, a colon and a market, or the beginning of its name and a *`;

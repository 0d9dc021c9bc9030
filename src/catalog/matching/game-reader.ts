// Reads the games of a venue from its events, repeatedly. Several events may make one game; a game with unchanged events keeps its object.
// Pure.

import type { VenueEvent } from '../../venues/discovery.ts';
import { Memo, memoized } from '../memo.ts';
import type { Game, UnreadGame } from './game.ts';

export interface GameReader {
  /** Reads events as games; events that are no game of a known competition are left out. */
  of(events: readonly VenueEvent[]): readonly Game[];
  /** Events that should be games but could not be read. */
  unread(events: readonly VenueEvent[]): readonly UnreadGame[];
}

/** `key`: of the game that the event is a part of. */
export class GamesOfParts<Part extends { readonly key: string }> implements GameReader {
  readonly #partOf: (event: VenueEvent) => Part | UnreadGame | null;
  readonly #gameOf: (key: string, parts: readonly Part[]) => Game | UnreadGame;
  readonly #keysWithin: (parts: readonly Part[]) => (part: Part) => string;
  readonly #games = new Memo<Game | UnreadGame>();

  /** `keysWithin`: keys of parts that depend on the other listings. */
  constructor(
    partOf: (event: VenueEvent) => Part | UnreadGame | null,
    gameOf: (key: string, parts: readonly Part[]) => Game | UnreadGame,
    keysWithin: (parts: readonly Part[]) => (part: Part) => string = () => part => part.key,
  ) {
    this.#partOf = memoized(partOf);
    this.#gameOf = gameOf;
    this.#keysWithin = keysWithin;
  }

  of(events: readonly VenueEvent[]): readonly Game[] {
    return this.#gamesOf(this.#partsOf(events).filter(isRead)).filter(isRead);
  }

  unread(events: readonly VenueEvent[]): readonly UnreadGame[] {
    const parts = this.#partsOf(events);
    return [...parts.filter(isUnread), ...this.#gamesOf(parts.filter(isRead)).filter(isUnread)];
  }

  #partsOf(events: readonly VenueEvent[]): readonly (Part | UnreadGame)[] {
    return events.map(event => this.#partOf(event)).filter(part => part !== null);
  }

  #gamesOf(parts: readonly Part[]): readonly (Game | UnreadGame)[] {
    this.#games.begin();
    return [...Map.groupBy(parts, this.#keysWithin(parts))].map(([key, ofGame]) =>
      this.#games.of(key, ofGame, () => this.#gameOf(key, ofGame)),
    );
  }
}

function isRead<Read extends object>(read: Read | UnreadGame): read is Read {
  return !('why' in read);
}

function isUnread(read: object): read is UnreadGame {
  return 'why' in read;
}

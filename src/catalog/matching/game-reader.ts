// Reads the games of a venue from its events again and again: several events are one game, and one whose events are the same is the
// same. Pure.

import type { VenueEvent } from '../../venues/discovery.ts';
import { ofEach, Reuse } from '../reuse.ts';
import type { Game } from './game.ts';

export interface GameReader {
  /** Events that are no game of a known competition are left out. */
  of(events: readonly VenueEvent[]): readonly Game[];
}

/** `key` is that of the game which an event is a part of. */
export class GamesOfParts<Part extends { readonly key: string }> implements GameReader {
  readonly #partOf: (event: VenueEvent) => Part | null;
  readonly #gameOf: (key: string, parts: readonly Part[]) => Game | null;
  readonly #keysWithin: (parts: readonly Part[]) => (part: Part) => string;
  readonly #games = new Reuse<Game | null>();

  /** `keysWithin`: the keys of parts where those depend on what else is listed. */
  constructor(
    partOf: (event: VenueEvent) => Part | null,
    gameOf: (key: string, parts: readonly Part[]) => Game | null,
    keysWithin: (parts: readonly Part[]) => (part: Part) => string = () => part => part.key,
  ) {
    this.#partOf = ofEach(partOf);
    this.#gameOf = gameOf;
    this.#keysWithin = keysWithin;
  }

  of(events: readonly VenueEvent[]): readonly Game[] {
    this.#games.begin();
    const parts = events.map(event => this.#partOf(event)).filter(part => part !== null);
    return [...Map.groupBy(parts, this.#keysWithin(parts))]
      .map(([key, ofGame]) => this.#games.of(key, ofGame, () => this.#gameOf(key, ofGame)))
      .filter(game => game !== null);
  }
}

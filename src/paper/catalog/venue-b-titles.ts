// Titles of games at venue B, which has several forms; a client meets all of them. `Boston at Los Angeles L` and `Boston vs Los Angeles L`;
// in soccer `Chelsea vs Tottenham` beside `Tottenham at Chelsea: Totals`; and a playoff's stage before any of them. Pure.

import { numberOf } from './identity.ts';
import type { League } from './leagues.ts';
import type { Game } from './listings.ts';

/** `''`: no playoff; as frequent as all stages together. */
const STAGES = ['', 'Game 4: ', '', 'Game 7 (If Necessary): ', '', 'East Play-In: '] as const;
const TENNIS_STAGES = ['', 'Quarterfinal: ', '', 'Round Of 16: '] as const;

/** Title of the winner event, or of the lines; `: Spread` follows. */
export function titleOfGame(league: League, game: Game, isOfWinner: boolean): string {
  const form = numberOf(6, 'venue-b title', game.id);
  if (league.strikeKey === 'tennis_competitor') {
    return `${TENNIS_STAGES[form % TENNIS_STAGES.length]}${game.home.place} vs ${game.away.place}`;
  }
  if (league.isHomeFirst) {
    const isTurned = !isOfWinner && form % 2 === 0;
    return isTurned ? atHome(game) : `${game.home.place} vs ${game.away.place}`;
  }
  const isAt = form % 4 < 2;
  const names = isAt ? atHome(game) : `${game.away.place} vs ${game.home.place}`;
  return `${STAGES[form % STAGES.length]}${names}`;
}

function atHome({ home, away }: Game): string {
  return `${away.place} at ${home.place}`;
}

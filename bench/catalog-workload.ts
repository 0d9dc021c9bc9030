// The listings of two venues for a large season: NBA games at both venues, each with winner, lines and props. For the catalog's benchmarks.

import { DAY_MS } from '../src/core/domain/durations.ts';
import type { UnixMillis } from '../src/core/domain/numbers.ts';
import type { OutcomeRoute, VenueEvent, VenueMarket } from '../src/venues/discovery.ts';

const TEAMS = [
  ['atl', 'ATL', 'Hawks', 'Atlanta'],
  ['bkn', 'BKN', 'Nets', 'Brooklyn'],
  ['bos', 'BOS', 'Celtics', 'Boston'],
  ['cha', 'CHA', 'Hornets', 'Charlotte'],
  ['chi', 'CHI', 'Bulls', 'Chicago'],
  ['cle', 'CLE', 'Cavaliers', 'Cleveland'],
  ['dal', 'DAL', 'Mavericks', 'Dallas'],
  ['den', 'DEN', 'Nuggets', 'Denver'],
  ['det', 'DET', 'Pistons', 'Detroit'],
  ['gsw', 'GSW', 'Warriors', 'Golden State'],
  ['hou', 'HOU', 'Rockets', 'Houston'],
  ['ind', 'IND', 'Pacers', 'Indiana'],
  ['lac', 'LAC', 'Clippers', 'Los Angeles C'],
  ['lal', 'LAL', 'Lakers', 'Los Angeles L'],
  ['mem', 'MEM', 'Grizzlies', 'Memphis'],
  ['mia', 'MIA', 'Heat', 'Miami'],
] as const;

const GAMES_A_DAY = TEAMS.length / 2;
const FIRST_DAY = Date.parse('2026-10-20T23:30:00Z');
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const SPREADS = 6;
const TOTALS = 6;

/** Returns `games` games, each with some ten markets at both venues together. */
export function listedGames(games: number): readonly VenueEvent[] {
  return Array.from({ length: games }, (_, index) => gameOf(index)).flat();
}

function gameOf(index: number): readonly VenueEvent[] {
  const day = Math.floor(index / GAMES_A_DAY);
  const place = index % GAMES_A_DAY;
  // Each day has a new opponent.
  const away = TEAMS[place]!;
  const home = TEAMS[GAMES_A_DAY + ((place + day) % GAMES_A_DAY)]!;
  const startsAt = (FIRST_DAY + day * DAY_MS) as UnixMillis;
  const date = new Date(startsAt).toISOString().slice(0, 10);
  const [year = '', month = '', dayOfMonth = ''] = date.split('-');
  const name = `${year.slice(2)}${MONTHS[Number(month) - 1]}${dayOfMonth}${away[1]}${home[1]}`;
  const lines = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `${at * 3 + 1}.5`);
  const ofB = (seriesId: string, title: string, markets: readonly VenueMarket[]): VenueEvent => {
    const names = { eventId: `${seriesId}-${name}`, title: `${away[3]} at ${home[3]}${title}`, subTitle: '', seriesId };
    return event('venue_b', names, startsAt, markets);
  };
  return [
    event(
      'venue_a',
      {
        eventId: String(index),
        title: `${away[2]} vs. ${home[2]}`,
        subTitle: `nba-${away[0]}-${home[0]}-${date}`,
        seriesId: '',
      },
      startsAt,
      [
        atVenueA(index, 0, `${away[2]} vs. ${home[2]}`, 'moneyline', [away[2], home[2]], null),
        ...['4.5', '7.5'].map((line, at) =>
          atVenueA(index, 1 + at, `Spread: ${home[2]} (-${line})`, 'spreads', [home[2], away[2]], `-${line}`),
        ),
      ],
    ),
    ofB('KXNBAGAME', '', [
      atVenueB(`KXNBAGAME-${name}-${away[1]}`, away[3], null),
      atVenueB(`KXNBAGAME-${name}-${home[1]}`, home[3], null),
    ]),
    ofB(
      'KXNBASPREAD',
      ': Spread',
      lines(SPREADS / 2).map(line =>
        atVenueB(
          `KXNBASPREAD-${name}-${home[1]}${Math.ceil(Number(line))}`,
          `${home[3]} wins by over ${line} points`,
          line,
        ),
      ),
    ),
    ofB(
      'KXNBATOTAL',
      ': Total',
      lines(TOTALS / 3).map(line =>
        atVenueB(`KXNBATOTAL-${name}-${Math.ceil(Number(line))}`, `Over ${line} points scored`, line),
      ),
    ),
  ];
}

function atVenueA(
  game: number,
  place: number,
  title: string,
  kind: string,
  outcomes: readonly string[],
  line: string | null,
): VenueMarket {
  const number = game * 8 + place;
  const route = (side: number): OutcomeRoute => ({ venue: 'venue_a', tokenId: `${number}${'7'.repeat(60)}${side}` });
  const named = outcomes.map((name, side) => ({ name, route: route(side) }));
  return market(`0x${number.toString(16).padStart(64, '0')}`, title, named, '', kind, line);
}

function atVenueB(ticker: string, label: string, line: string | null): VenueMarket {
  const side = (name: string, of: 'YES' | 'NO') => ({ name, route: { venue: 'venue_b', ticker, side: of } as const });
  const outcomes = [side(label, 'YES'), side(`Not ${label}`, 'NO')];
  return market(ticker, label, outcomes, label, 'structured', line);
}

function event(
  venue: 'venue_a' | 'venue_b',
  names: Pick<VenueEvent, 'eventId' | 'title' | 'subTitle' | 'seriesId'>,
  startsAt: UnixMillis,
  markets: readonly VenueMarket[],
): VenueEvent {
  const { eventId, title, subTitle, seriesId } = names;
  // The object gets all fields at once, as the readers of venues' lists make it.
  return {
    venue,
    eventId,
    title,
    subTitle,
    seriesId,
    competition: '',
    scope: '',
    startsAt,
    gameId: '',
    teams: [],
    markets,
  };
}

function market(
  marketId: string,
  title: string,
  outcomes: VenueMarket['outcomes'],
  label: string,
  kind: string,
  line: string | null,
): VenueMarket {
  return {
    marketId,
    title,
    outcomes,
    phase: 'OPEN',
    opensAt: null,
    closesAt: null,
    label,
    kind,
    line,
    occursAt: null,
  };
}

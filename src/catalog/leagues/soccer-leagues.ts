// Leagues and cups of soccer, by venue A's slugs and venue B's series. Facts of the leagues and of the venues' lists. Pure.

import { type Competition, EASTERN, LONDON, PARIS, POSTPONED, SAME_START_MS, type Sport } from './competition.ts';
import type { TeamTable } from './team-table.ts';
import {
  A_LEAGUE,
  BELGIUM,
  CHINA,
  CZECHIA,
  ELITESERIEN,
  EREDIVISIE,
  J_LEAGUE,
  K_LEAGUE,
  LIGA_PORTUGAL,
  SAUDI,
  SUPER_LIG,
  SUPERLIGA,
} from './teams-elsewhere.ts';
import { BUNDESLIGA, CHAMPIONSHIP, EPL, EUROPE, LA_LIGA, LIGUE_1, SERIE_A } from './teams-europe.ts';
import { BRAZIL_BOTH, ENGLAND_THREE, FRANCE_BOTH, GERMANY_BOTH, ITALY_BOTH, SPAIN_BOTH } from './teams-second-tiers.ts';
import { BRASILEIRAO, LEAGUES_CUP, LIGA_MX, MLS, MORE_OF_NATIONS, NATIONS, NWSL } from './teams-soccer.ts';
import {
  ARGENTINE,
  BOLIVIAN,
  CHILEAN,
  COLOMBIAN,
  ECUADORIAN,
  PERUVIAN,
  SOUTH_AMERICA,
  URUGUAYAN,
} from './teams-south-america.ts';

const SOCCER: Sport = { id: 'soccer', name: 'Soccer' };

const REGULAR_TIME =
  'Winner, draw, spread and total are of 90 minutes and stoppage time; who advances includes extra time and penalties.';

/** Far from both clocks: a game there may be listed for the day before. */
const FAR = { daysMayDiffer: true } as const;

const [MADRID, BERLIN, ROME] = ['Europe/Madrid', 'Europe/Berlin', 'Europe/Rome'] as const;

export const SOCCER_LEAGUES: readonly Competition[] = [
  soccer('epl', 'Premier League', EPL, LONDON, 'KXEPL'),
  soccer('mls', 'MLS', MLS, EASTERN, 'KXMLS'),
  soccer('championship', 'EFL Championship', CHAMPIONSHIP, LONDON, 'KXEFLCHAMPIONSHIP', 'elc'),
  soccer('la-liga', 'La Liga', LA_LIGA, MADRID, 'KXLALIGA', 'lal'),
  soccer('bundesliga', 'Bundesliga', BUNDESLIGA, BERLIN, 'KXBUNDESLIGA', 'bun'),
  soccer('serie-a', 'Serie A', SERIE_A, ROME, 'KXSERIEA', 'sea'),
  soccer('ligue-1', 'Ligue 1', LIGUE_1, PARIS, 'KXLIGUE1', 'fl1'),
  soccer('ucl', 'Champions League', EUROPE, PARIS, 'KXUCL'),
  soccer('uel', 'Europa League', EUROPE, PARIS, 'KXUEL'),
  soccer('liga-mx', 'Liga MX', LIGA_MX, 'America/Mexico_City', 'KXLIGAMX', 'mex'),
  soccer('brasileirao', 'Brasileirão', BRASILEIRAO, 'America/Sao_Paulo', 'KXBRASILEIRO', 'bra'),
  soccer('fifa-world-cup', 'FIFA World Cup', NATIONS, EASTERN, 'KXWC', 'fifwc'),
  // Leagues of Europe.
  soccer('conference-league', 'Conference League', EUROPE, PARIS, 'KXUECL', 'col'),
  soccer('eredivisie', 'Eredivisie', EREDIVISIE, 'Europe/Amsterdam', 'KXEREDIVISIE', 'ere'),
  soccer('liga-portugal', 'Liga Portugal', LIGA_PORTUGAL, 'Europe/Lisbon', 'KXLIGAPORTUGAL', 'por'),
  soccer('super-lig', 'Süper Lig', SUPER_LIG, 'Europe/Istanbul', 'KXSUPERLIG', 'tur'),
  soccer('eliteserien', 'Eliteserien', ELITESERIEN, 'Europe/Oslo', 'KXELITESERIEN', 'nor'),
  soccer('superliga', 'Superliga', SUPERLIGA, 'Europe/Copenhagen', 'KXDENSUPERLIGA', 'den'),
  soccer('belgium', 'Belgian Pro League', BELGIUM, 'Europe/Brussels', 'KXBELGIANPL', 'bel1'),
  soccer('czechia', 'Czech First League', CZECHIA, 'Europe/Prague', 'KXCZEFL', 'cze1'),
  soccer('league-one', 'EFL League One', ENGLAND_THREE, LONDON, 'KXEFLL1', 'el1'),
  soccer('la-liga-2', 'La Liga 2', SPAIN_BOTH, MADRID, 'KXLALIGA2', 'es2'),
  soccer('bundesliga-2', '2. Bundesliga', GERMANY_BOTH, BERLIN, 'KXBUNDESLIGA2', 'bl2'),
  soccer('serie-b', 'Serie B', ITALY_BOTH, ROME, 'KXSERIEB', 'itsb'),
  soccer('ligue-2', 'Ligue 2', FRANCE_BOTH, PARIS, 'KXLIGUE2', 'fr2'),
  soccer('nations-league', 'UEFA Nations League', MORE_OF_NATIONS, PARIS, 'KXUEFANL', 'unl'),
  // Cups. Their games of clubs below the tables match nothing.
  soccer('fa-cup', 'FA Cup', ENGLAND_THREE, LONDON, 'KXFACUP', 'efa'),
  soccer('copa-del-rey', 'Copa del Rey', SPAIN_BOTH, MADRID, 'KXCOPADELREY', 'cdr'),
  soccer('dfb-pokal', 'DFB-Pokal', GERMANY_BOTH, BERLIN, 'KXDFBPOKAL', 'dfb'),
  soccer('coppa-italia', 'Coppa Italia', ITALY_BOTH, ROME, 'KXCOPPAITALIA', 'itc'),
  soccer('coupe-de-france', 'Coupe de France', FRANCE_BOTH, PARIS, 'KXCOUPEDEFRANCE', 'cde'),
  // The Americas.
  soccer('nwsl', 'NWSL', NWSL, EASTERN, 'KXNWSL', 'nwsl', FAR),
  soccer('leagues-cup', 'Leagues Cup', LEAGUES_CUP, EASTERN, 'KXLEAGUESCUP', 'lcs', FAR),
  soccer('brasileirao-b', 'Brasileirão, Série B', BRAZIL_BOTH, 'America/Sao_Paulo', 'KXBRASILEIROB', 'bra2', FAR),
  soccer('argentina', 'Argentina, Primera División', ARGENTINE, 'America/Buenos_Aires', 'KXARGPREMDIV', 'arg', FAR),
  soccer('colombia', 'Colombia, Primera A', COLOMBIAN, 'America/Bogota', 'KXDIMAYOR', 'col1', FAR),
  soccer('chile', 'Chile, Primera División', CHILEAN, 'America/Santiago', 'KXCHLLDP', 'chi1', FAR),
  soccer('ecuador', 'Ecuador, Serie A', ECUADORIAN, 'America/Guayaquil', 'KXECULP', 'ecu1', FAR),
  soccer('peru', 'Peru, Liga 1', PERUVIAN, 'America/Lima', 'KXPERLIGA1', 'per1', FAR),
  soccer('uruguay', 'Uruguay, Primera División', URUGUAYAN, 'America/Montevideo', 'KXURYPD', 'uru1', FAR),
  soccer('bolivia', 'Bolivia, Primera División', BOLIVIAN, 'America/La_Paz', 'KXBOLPDIV', 'bol1', FAR),
  soccer('libertadores', 'Copa Libertadores', SOUTH_AMERICA, 'America/Sao_Paulo', 'KXCONMEBOLLIB', 'lib', FAR),
  soccer('sudamericana', 'Copa Sudamericana', SOUTH_AMERICA, 'America/Sao_Paulo', 'KXCONMEBOLSUD', 'sud', FAR),
  // Asia and Australia.
  soccer('saudi', 'Saudi Pro League', SAUDI, 'Asia/Riyadh', 'KXSAUDIPL', 'spl', FAR),
  soccer('j-league', 'J1 League', J_LEAGUE, 'Asia/Tokyo', 'KXJLEAGUE', 'j1100', { ...FAR, slugs: ['j1100', 'jap'] }),
  soccer('k-league', 'K League 1', K_LEAGUE, 'Asia/Seoul', 'KXKLEAGUE', 'kor', FAR),
  soccer('china', 'Chinese Super League', CHINA, 'Asia/Shanghai', 'KXCHNSL', 'chi', FAR),
  soccer('a-league', 'A-League', A_LEAGUE, 'Australia/Sydney', 'KXALEAGUE', 'aus', FAR),
];

function soccer(
  id: string,
  name: string,
  teams: TeamTable,
  zone: string,
  series: string,
  slug = id,
  more: Partial<Competition> = {},
): Competition {
  const common = { sport: SOCCER, isHomeFirst: true, sameStartMs: SAME_START_MS, evenEnd: 'draw' } as const;
  const notes = [REGULAR_TIME, POSTPONED];
  return { id, name, ...common, teams, zone, slugs: [slug], series: [series], notes, ...more };
}

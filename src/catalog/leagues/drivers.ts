// Drivers and constructors of Formula 1, by the venues' names, and its races. Facts of the championship.

import { TeamTable } from './team-table.ts';

export const DRIVERS = new TeamTable(`
albon | Alexander Albon | Alex Albon
alonso | Fernando Alonso
antonelli | Andrea Kimi Antonelli | Kimi Antonelli
bearman | Oliver Bearman | Ollie Bearman
bortoleto | Gabriel Bortoleto
bottas | Valtteri Bottas
colapinto | Franco Colapinto
crawford | Jak Crawford
doohan | Jack Doohan
gasly | Pierre Gasly
hadjar | Isack Hadjar
hamilton | Lewis Hamilton
hulkenberg | Nico Hülkenberg | Nico Hulkenberg
lawson | Liam Lawson
leclerc | Charles Leclerc
lindblad | Arvid Lindblad
norris | Lando Norris
ocon | Esteban Ocon
perez | Sergio Pérez | Checo Perez
piastri | Oscar Piastri
russell | George Russell
sainz | Carlos Sainz | Carlos Sainz Jr., Carlos Sainz Jr
stroll | Lance Stroll
tsunoda | Yuki Tsunoda
verstappen | Max Verstappen
zhou | Zhou Guanyu | Guanyu Zhou
`);

export const CONSTRUCTORS = new TeamTable(`
alpine | Alpine
aston-martin | Aston Martin
audi | Audi
cadillac | Cadillac
ferrari | Ferrari
haas | Haas
mclaren | McLaren
mercedes | Mercedes
racing-bulls | Racing Bulls | RB, Visa Cash App RB
red-bull | Red Bull Racing | Red Bull
williams | Williams
`);

/** By the first word or words of the name of a Grand Prix. */
export const RACES: ReadonlySet<string> = new Set(
  [
    'Abu Dhabi, Australian, Austrian, Azerbaijan, Bahrain, Barcelona, Barcelona-Catalunya, Belgian, British, Canadian, Chinese, Dutch',
    'Emilia Romagna, Hungarian, Italian, Japanese, Las Vegas, Madrid, Mexico City, Miami, Monaco, Qatar, São Paulo, Saudi Arabian',
    'Singapore, Spanish, United States',
  ].flatMap(names => names.split(', ')),
);

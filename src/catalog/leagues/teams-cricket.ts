// Clubs of T20 cricket, men's. Clubs of women have names of their own, or the same: their competitions are none of these. Facts of the
// leagues.

import { TeamTable } from './team-table.ts';

export const IPL = new TeamTable(
  `
csk | Chennai Super Kings | Chennai
dc | Delhi Capitals | Delhi
gt | Gujarat Titans | Gujarat
kkr | Kolkata Knight Riders | Kolkata
lsg | Lucknow Super Giants | Lucknow
mi | Mumbai Indians | Mumbai
pbks | Punjab Kings | Punjab, Kings XI Punjab
rr | Rajasthan Royals | Rajasthan
rcb | Royal Challengers Bengaluru | Royal Challengers Bangalore, Bengaluru, Bangalore
srh | Sunrisers Hyderabad | Hyderabad
`,
  { codes: 'hints' },
);

export const PSL = new TeamTable(
  `
iu | Islamabad United | Islamabad
kk | Karachi Kings | Karachi
lq | Lahore Qalandars | Lahore
ms | Multan Sultans | Multan
pz | Peshawar Zalmi | Peshawar
qg | Quetta Gladiators | Quetta
hhk | Hyderabad Kingsmen
rwp | Rawalpindi Pindiz | Pindiz
sst | Sialkot Stallionz | Sialkot Stallions
`,
  { codes: 'hints' },
);

export const CPL = new TeamTable(
  `
abf | Antigua and Barbuda Falcons | Antigua & Barbuda Falcons, Antigua Falcons
br | Barbados Royals | Barbados Tridents
gaw | Guyana Amazon Warriors
skn | St Kitts and Nevis Patriots | St Kitts & Nevis Patriots, Saint Kitts and Nevis Patriots
slk | Saint Lucia Kings | St Lucia Kings
tkr | Trinbago Knight Riders
`,
  { codes: 'hints' },
);

/** Of the T20 Blast in England and of Major League Cricket in America. */
export const T20_CLUBS = new TeamTable(
  `
der | Derbyshire | Derbyshire Falcons
dur | Durham | Durham Cricket
ess | Essex | Essex Eagles
gla | Glamorgan
glo | Gloucestershire
ham | Hampshire | Hampshire Hawks
ken | Kent | Kent Spitfires
lan | Lancashire | Lancashire Lightning
lei | Leicestershire | Leicestershire Foxes
mid | Middlesex
nor | Northamptonshire | Northamptonshire Steelbacks, Northants Steelbacks, Northants
not | Nottinghamshire | Notts Outlaws, Nottinghamshire Outlaws
som | Somerset
sur | Surrey
sus | Sussex | Sussex Sharks
war | Warwickshire | Birmingham Bears
wor | Worcestershire | Worcestershire Rapids
yor | Yorkshire | Yorkshire Vikings
lakr | Los Angeles Knight Riders | LA Knight Riders
miny | MI New York
sfu | San Francisco Unicorns
seo | Seattle Orcas
tsk | Texas Super Kings
waf | Washington Freedom
`,
  { codes: 'hints' },
);

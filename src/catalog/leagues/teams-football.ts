// The clubs of American and Canadian football. Facts of the leagues, with the codes of both venues.

import { TeamTable } from './team-table.ts';

export const NFL = new TeamTable(`
ari | Arizona Cardinals | Arizona, Cardinals | AZ
atl | Atlanta Falcons | Atlanta, Falcons
bal | Baltimore Ravens | Baltimore, Ravens
buf | Buffalo Bills | Buffalo, Bills
car | Carolina Panthers | Carolina, Panthers
chi | Chicago Bears | Chicago, Bears
cin | Cincinnati Bengals | Cincinnati, Bengals
cle | Cleveland Browns | Cleveland, Browns
dal | Dallas Cowboys | Dallas, Cowboys
den | Denver Broncos | Denver, Broncos
det | Detroit Lions | Detroit, Lions
gb | Green Bay Packers | Green Bay, Packers | GNB
hou | Houston Texans | Houston, Texans
ind | Indianapolis Colts | Indianapolis, Colts
jax | Jacksonville Jaguars | Jacksonville, Jaguars | JAC
kc | Kansas City Chiefs | Kansas City, Chiefs | KAN
lac | Los Angeles Chargers | Los Angeles, LA, Chargers
la | Los Angeles Rams | Los Angeles, LA, Rams | LAR
lv | Las Vegas Raiders | Las Vegas, Raiders | LVR
mia | Miami Dolphins | Miami, Dolphins
min | Minnesota Vikings | Minnesota, Vikings
ne | New England Patriots | New England, Patriots | NEP
no | New Orleans Saints | New Orleans, Saints | NOR
nyg | New York Giants | New York, Giants
nyj | New York Jets | New York, Jets
phi | Philadelphia Eagles | Philadelphia, Eagles
pit | Pittsburgh Steelers | Pittsburgh, Steelers
sea | Seattle Seahawks | Seattle, Seahawks
sf | San Francisco 49ers | San Francisco, 49ers, Niners | SFO
tb | Tampa Bay Buccaneers | Tampa Bay, Buccaneers, Bucs | TAM
ten | Tennessee Titans | Tennessee, Titans
was | Washington Commanders | Washington, Commanders | WSH
`);

export const CFL = new TeamTable(`
bc | BC Lions | British Columbia Lions, British Columbia, BC
cgy | Calgary Stampeders | Calgary, Stampeders | CAL
edm | Edmonton Elks | Edmonton, Elks
ham | Hamilton Tiger-Cats | Hamilton, Tiger-Cats
mtl | Montreal Alouettes | Montreal, Alouettes | MON
ott | Ottawa Redblacks | Ottawa, Redblacks
ssk | Saskatchewan Roughriders | Saskatchewan, Roughriders | SAS, SK
tor | Toronto Argonauts | Toronto, Argonauts
wpg | Winnipeg Blue Bombers | Winnipeg, Blue Bombers | WIN
`);

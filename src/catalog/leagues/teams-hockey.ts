// The clubs of ice hockey. Facts of the league, with the codes of both venues.

import { TeamTable } from './team-table.ts';

export const NHL = new TeamTable(`
ana | Anaheim Ducks | Anaheim, Ducks
bos | Boston Bruins | Boston, Bruins
buf | Buffalo Sabres | Buffalo, Sabres
cgy | Calgary Flames | Calgary, Flames | CAL
car | Carolina Hurricanes | Carolina, Hurricanes
chi | Chicago Blackhawks | Chicago, Blackhawks
col | Colorado Avalanche | Colorado, Avalanche
cbj | Columbus Blue Jackets | Columbus, Blue Jackets | CLB
dal | Dallas Stars | Dallas, Stars
det | Detroit Red Wings | Detroit, Red Wings
edm | Edmonton Oilers | Edmonton, Oilers
fla | Florida Panthers | Florida, Panthers
la | Los Angeles Kings | Los Angeles, LA, Kings | LAK
min | Minnesota Wild | Minnesota, Wild
mtl | Montreal Canadiens | Montreal, Canadiens | MON
nsh | Nashville Predators | Nashville, Predators | NAS
nj | New Jersey Devils | New Jersey, Devils | NJD
nyi | New York Islanders | New York, Islanders
nyr | New York Rangers | New York, Rangers
ott | Ottawa Senators | Ottawa, Senators
phi | Philadelphia Flyers | Philadelphia, Flyers
pit | Pittsburgh Penguins | Pittsburgh, Penguins
sj | San Jose Sharks | San Jose, Sharks | SJS
sea | Seattle Kraken | Seattle, Kraken
stl | St. Louis Blues | St. Louis, Blues
tb | Tampa Bay Lightning | Tampa Bay, Lightning | TBL
tor | Toronto Maple Leafs | Toronto, Maple Leafs
uta | Utah Mammoth | Utah, Mammoth, Utah Hockey Club | UTAH
van | Vancouver Canucks | Vancouver, Canucks
vgk | Vegas Golden Knights | Vegas, Las Vegas, Golden Knights | LAS, VEG, VGS
wsh | Washington Capitals | Washington, Capitals | WAS
wpg | Winnipeg Jets | Winnipeg, Jets | WIN
`);

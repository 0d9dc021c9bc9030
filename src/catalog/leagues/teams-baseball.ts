// The clubs of baseball. Facts of the league, with the codes of both venues.

import { TeamTable } from './team-table.ts';

export const MLB = new TeamTable(`
ari | Arizona Diamondbacks | Arizona, Diamondbacks, D-backs | AZ
ath | Athletics | A's, Oakland, Oakland Athletics, Las Vegas Athletics, Sacramento, Sacramento Athletics | OAK
atl | Atlanta Braves | Atlanta, Braves
bal | Baltimore Orioles | Baltimore, Orioles
bos | Boston Red Sox | Boston, Red Sox
chc | Chicago Cubs | Chicago, Cubs
cws | Chicago White Sox | Chicago, White Sox | CHW
cin | Cincinnati Reds | Cincinnati, Reds
cle | Cleveland Guardians | Cleveland, Guardians, Cleveland Indians
col | Colorado Rockies | Colorado, Rockies
det | Detroit Tigers | Detroit, Tigers
hou | Houston Astros | Houston, Astros
kc | Kansas City Royals | Kansas City, Royals | KAN
laa | Los Angeles Angels | Los Angeles, LA, Angels
lad | Los Angeles Dodgers | Los Angeles, LA, Dodgers
mia | Miami Marlins | Miami, Marlins
mil | Milwaukee Brewers | Milwaukee, Brewers
min | Minnesota Twins | Minnesota, Twins
nym | New York Mets | New York, Mets
nyy | New York Yankees | New York, Yankees
phi | Philadelphia Phillies | Philadelphia, Phillies
pit | Pittsburgh Pirates | Pittsburgh, Pirates
sd | San Diego Padres | San Diego, Padres | SDP
sf | San Francisco Giants | San Francisco, Giants | SFG
sea | Seattle Mariners | Seattle, Mariners
stl | St. Louis Cardinals | St. Louis, Cardinals
tb | Tampa Bay Rays | Tampa Bay, Rays | TBR
tex | Texas Rangers | Texas, Rangers
tor | Toronto Blue Jays | Toronto, Blue Jays
wsh | Washington Nationals | Washington, Nationals | WAS
`);

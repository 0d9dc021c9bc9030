// The clubs of basketball, American and Canadian football, ice hockey and baseball. Facts of the leagues, with the codes of both venues.

import { TeamTable } from './team-table.ts';

export const NBA = new TeamTable(`
atl | Atlanta Hawks | Atlanta, Hawks
bkn | Brooklyn Nets | Brooklyn, Nets | BRK
bos | Boston Celtics | Boston, Celtics
cha | Charlotte Hornets | Charlotte, Hornets | CHO
chi | Chicago Bulls | Chicago, Bulls
cle | Cleveland Cavaliers | Cleveland, Cavaliers, Cavs
dal | Dallas Mavericks | Dallas, Mavericks, Mavs
den | Denver Nuggets | Denver, Nuggets
det | Detroit Pistons | Detroit, Pistons
gsw | Golden State Warriors | Golden State, Warriors | GS
hou | Houston Rockets | Houston, Rockets
ind | Indiana Pacers | Indiana, Pacers
lac | Los Angeles Clippers | Los Angeles, LA, Clippers
lal | Los Angeles Lakers | Los Angeles, LA, Lakers
mem | Memphis Grizzlies | Memphis, Grizzlies
mia | Miami Heat | Miami, Heat
mil | Milwaukee Bucks | Milwaukee, Bucks
min | Minnesota Timberwolves | Minnesota, Timberwolves, Wolves
nop | New Orleans Pelicans | New Orleans, Pelicans | NO
nyk | New York Knicks | New York, Knicks, Knickerbockers | NY
okc | Oklahoma City Thunder | Oklahoma City, Thunder
orl | Orlando Magic | Orlando, Magic
phi | Philadelphia 76ers | Philadelphia, 76ers, Sixers, Philadelphia Sixers
phx | Phoenix Suns | Phoenix, Suns | PHO
por | Portland Trail Blazers | Portland, Trail Blazers, Trailblazers, Blazers
sac | Sacramento Kings | Sacramento, Kings
sas | San Antonio Spurs | San Antonio, Spurs | SA
tor | Toronto Raptors | Toronto, Raptors
uta | Utah Jazz | Utah, Jazz | UTAH
was | Washington Wizards | Washington, Wizards | WSH
`);

export const WNBA = new TeamTable(`
atl | Atlanta Dream | Atlanta, Dream
chi | Chicago Sky | Chicago, Sky
conn | Connecticut Sun | Connecticut, Sun | CON, CT
dal | Dallas Wings | Dallas, Wings
gsv | Golden State Valkyries | Golden State, Valkyries | GS
ind | Indiana Fever | Indiana, Fever
la | Los Angeles Sparks | Los Angeles, LA, Sparks | LAS
lv | Las Vegas Aces | Las Vegas, Aces | LVA
min | Minnesota Lynx | Minnesota, Lynx
nyl | New York Liberty | New York, Liberty | NY
phx | Phoenix Mercury | Phoenix, Mercury | PHO
por | Portland Fire | Portland, Fire
sea | Seattle Storm | Seattle, Storm
tor | Toronto Tempo | Toronto, Tempo
wsh | Washington Mystics | Washington, Mystics | WAS
`);

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

// The clubs and national teams of football. Facts of the leagues, with the codes of both venues.

import { TeamTable } from './team-table.ts';

export const EPL = new TeamTable(`
ars | Arsenal | Arsenal FC
avl | Aston Villa | Aston Villa FC | AST
bou | Bournemouth | AFC Bournemouth
bre | Brentford | Brentford FC
bha | Brighton | Brighton & Hove Albion FC, Brighton and Hove Albion, Brighton & Hove Albion | BRI
bur | Burnley | Burnley FC
che | Chelsea | Chelsea FC | CFC
cov | Coventry City | Coventry, Coventry City FC
cry | Crystal Palace | Crystal Palace FC | CRP, CPFC
eve | Everton | Everton FC
ful | Fulham | Fulham FC
hul | Hull City | Hull, Hull City AFC
ips | Ipswich Town | Ipswich, Ipswich Town FC
lee | Leeds United | Leeds, Leeds United FC
lei | Leicester City | Leicester, Leicester City FC
liv | Liverpool | Liverpool FC | LFC
mci | Manchester City | Manchester City FC, Man City | MAC
mun | Manchester United | Manchester Utd, Manchester United FC, Man United, Man Utd
new | Newcastle United | Newcastle, Newcastle United FC
nfo | Nottingham Forest | Nottingham, Nottingham Forest FC, Nott'm Forest | NOT
sou | Southampton | Southampton FC
sun | Sunderland | Sunderland AFC
tot | Tottenham Hotspur | Tottenham, Tottenham Hotspur FC
whu | West Ham United | West Ham, West Ham United FC | WES
wol | Wolverhampton Wanderers | Wolverhampton, Wolves, Wolverhampton Wanderers FC
`);

export const MLS = new TeamTable(`
atl | Atlanta United | Atlanta, Atlanta United FC
aus | Austin FC | Austin | ATX
mtl | CF Montréal | Montreal, CF Montreal | MON
clt | Charlotte FC | Charlotte | CHA
chi | Chicago Fire | Chicago, Chicago Fire FC
cin | FC Cincinnati | Cincinnati
col | Colorado Rapids | Colorado
clb | Columbus Crew | Columbus, Columbus Crew SC
dal | FC Dallas | Dallas
dc | D.C. United | DC United, DC | DCU
hou | Houston Dynamo | Houston, Houston Dynamo FC
lag | Los Angeles Galaxy | LA Galaxy, Los Angeles G
lafc | Los Angeles FC | LAFC, Los Angeles F | LAF
mia | Inter Miami | Miami, Inter Miami CF
min | Minnesota United | Minnesota, Minnesota United FC
nsh | Nashville SC | Nashville | NAS
ne | New England Revolution | New England
nyc | New York City FC | New York City, NYCFC | NYCFC
rbny | New York Red Bulls | Red Bull New York, New York RB | NYRB, NYR
orl | Orlando City | Orlando, Orlando City SC
phi | Philadelphia Union | Philadelphia
por | Portland Timbers | Portland
rsl | Real Salt Lake | Salt Lake, RSL
sd | San Diego FC | San Diego | SDFC
sj | San Jose Earthquakes | San Jose
sea | Seattle Sounders | Seattle, Seattle Sounders FC
skc | Sporting Kansas City | Kansas City, Sporting KC | KC
stl | St. Louis City SC | St. Louis, St. Louis City, Saint Louis City
tor | Toronto FC | Toronto
van | Vancouver Whitecaps | Vancouver, Vancouver Whitecaps FC
`);

/** Men's. Ids are those of FIFA; venue A's codes are those of ISO at times. */
export const NATIONS = new TeamTable(`
alg | Algeria | | DZA
arg | Argentina
aus | Australia
aut | Austria
bel | Belgium
bih | Bosnia and Herzegovina | Bosnia-Herzegovina, Bosnia
bol | Bolivia
bra | Brazil
can | Canada
chi | Chile | | CHL
chn | China | China PR
civ | Ivory Coast | Côte d'Ivoire, Cote d'Ivoire
cmr | Cameroon
cod | DR Congo | Congo DR, Democratic Republic of the Congo
col | Colombia
cpv | Cape Verde | Cabo Verde
crc | Costa Rica | | CRI
cro | Croatia | | HRV
cuw | Curaçao | Curacao | | CUR
cze | Czechia | Czech Republic
den | Denmark | | DNK
ecu | Ecuador
egy | Egypt
eng | England
esp | Spain
fra | France
geo | Georgia
ger | Germany | | DEU
gha | Ghana
gre | Greece | | GRC
hai | Haiti | | HTI
hon | Honduras | | HND
hun | Hungary
irl | Ireland | Republic of Ireland
irn | Iran | IR Iran
irq | Iraq
isl | Iceland
ita | Italy
jam | Jamaica
jor | Jordan
jpn | Japan
kor | South Korea | Korea Republic, Korea
ksa | Saudi Arabia | | SAU
mar | Morocco
mex | Mexico
nca | New Caledonia | | NCL
ned | Netherlands | Holland | | NLD
nga | Nigeria
nir | Northern Ireland
nor | Norway
nzl | New Zealand
pan | Panama
par | Paraguay | | PRY
per | Peru
pol | Poland
por | Portugal | | PRT
qat | Qatar
rou | Romania
rsa | South Africa | | ZAF
sco | Scotland
sen | Senegal
srb | Serbia
sui | Switzerland | | CHE
svk | Slovakia
svn | Slovenia
swe | Sweden
tun | Tunisia
tur | Türkiye | Turkey, Turkiye
ukr | Ukraine
uru | Uruguay | | URY
usa | United States | USA, USMNT, United States of America
uzb | Uzbekistan
ven | Venezuela
wal | Wales
`);

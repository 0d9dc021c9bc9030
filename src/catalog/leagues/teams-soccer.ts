// The clubs and national teams of football in America, and the nations of the world. Facts of the leagues, with the codes of both venues.

import { TeamTable } from './team-table.ts';

const MLS_CLUBS = `
atl | Atlanta United | Atlanta, Atlanta United FC | ATU
aus | Austin FC | Austin | ATX
mtl | CF Montréal | Montreal, CF Montreal | MON
clt | Charlotte FC | Charlotte | CHA
chi | Chicago Fire | Chicago, Chicago Fire FC
cin | FC Cincinnati | Cincinnati | FCC
col | Colorado Rapids | Colorado
clb | Columbus Crew | Columbus, Columbus Crew SC
dal | FC Dallas | Dallas
dc | D.C. United | DC United, DC, Washington | DCU
hou | Houston Dynamo | Houston, Houston Dynamo FC
lag | Los Angeles Galaxy | Los Angeles, LA, Galaxy | LA
lafc | Los Angeles FC | Los Angeles, LA, LAFC, Los Angeles Football Club | LAF
mia | Inter Miami | Miami, Inter Miami CF | MIM, LIM
min | Minnesota United | Minnesota, Minnesota United FC
nsh | Nashville SC | Nashville | NAS
ne | New England Revolution | New England | NER
nyc | New York City FC | New York, New York City, NYCFC, NYC FC, NYC | NYCFC
rbny | New York Red Bulls | New York, Red Bull New York, RB New York, RBNY, Red Bulls | NYRB, NYR, RBS
orl | Orlando City | Orlando, Orlando City SC
phi | Philadelphia Union | Philadelphia
por | Portland Timbers | Portland
rsl | Real Salt Lake | Salt Lake, RSL
sd | San Diego FC | San Diego | SDFC, SDG
sj | San Jose Earthquakes | San Jose, SJ Earthquakes | SJE
sea | Seattle Sounders | Seattle, Seattle Sounders FC
skc | Sporting Kansas City | Kansas City, Sporting KC | KC
stl | St. Louis City SC | St. Louis, St. Louis City | STLC
tor | Toronto FC | Toronto
van | Vancouver Whitecaps | Vancouver, Vancouver Whitecaps FC | VWH
`;

const MEXICO = `
ame | Club América | América, America | CAM
ats | Atlas | Atlas FC | ATL, ATS
asl | Atlético San Luis | San Luis, Atletico de San Luis | SLP, SNL
atn | Atlante | | ATE
caz | Cruz Azul | | CRA
gua | Guadalajara | Chivas, CD Guadalajara, Chivas Guadalajara | GDL, CHI, CHV
jua | Juárez | FC Juárez, Bravos | FCJ
leo | León | Club León
maz | Mazatlán | Mazatlan FC
mon | Monterrey | CF Monterrey, Rayados | MTY
nec | Necaxa | Club Necaxa
pac | Pachuca | CF Pachuca
pue | Puebla | Club Puebla
pum | Pumas UNAM | Pumas, UNAM, Universidad Nacional | UNA
que | Querétaro | Querétaro FC | QRO
san | Santos Laguna | Santos | SLA
tig | Tigres UANL | Tigres, UANL | UAN
tij | Tijuana | Club Tijuana, Xolos
tol | Toluca | Deportivo Toluca
`;

export const MLS = new TeamTable(MLS_CLUBS, { codes: 'hints', isOfClubs: true });
export const LIGA_MX = new TeamTable(MEXICO, { codes: 'hints', isOfClubs: true });
/** The clubs of both play in it. */
export const LEAGUES_CUP = new TeamTable(MLS_CLUBS + MEXICO, { codes: 'hints', isOfClubs: true });

export const BRAZIL = `
amg | Atlético Mineiro | Clube Atlético Mineiro, Atletico-MG | CAM
cap | Athletico Paranaense | Atlético Paranaense, Athletico-PR, Club Athletico Paranaense | ATP
bah | Bahia | EC Bahia
bot | Botafogo | Botafogo FR
rbb | Red Bull Bragantino | Bragantino, RB Bragantino
cea | Ceará | Ceará SC
cha | Chapecoense | Associação Chapecoense de Futebol
cor | Corinthians | SC Corinthians Paulista
cfc | Coritiba | Coritiba FBC
cru | Cruzeiro | Cruzeiro EC
fla | Flamengo | CR Flamengo
flu | Fluminense | Fluminense FC
for | Fortaleza | Fortaleza EC
gre | Grêmio | Grêmio FBPA
int | Internacional | SC Internacional
juv | Juventude | EC Juventude
mir | Mirassol | Mirassol FC
pal | Palmeiras | SE Palmeiras
rem | Remo | Clube do Remo
san | Santos | Santos FC
sao | São Paulo | São Paulo FC | SPA
spo | Sport Recife | Sport, SC do Recife
vas | Vasco da Gama | Vasco, CR Vasco da Gama
vit | Vitória | EC Vitória
`;

export const BRASILEIRAO = new TeamTable(BRAZIL, { codes: 'hints', isOfClubs: true });

/** Men's. Ids are those of FIFA; codes of two letters, and venue A's at times, are those of ISO. */
const NATION_LINES = `
alb | Albania | | AL
alg | Algeria | | DZA, DZ
arg | Argentina | | AR
aus | Australia | | AU
aut | Austria | | AT
bel | Belgium | | BE
bfa | Burkina Faso | | BF
bhr | Bahrain | | BH
bih | Bosnia and Herzegovina | Bosnia-Herzegovina, Bosnia | BA
bol | Bolivia | | BO
bra | Brazil | | BR
bul | Bulgaria | | BGR, BG
can | Canada | | CA
chi | Chile | | CHL, CL
chn | China | China PR | CN
civ | Ivory Coast | Côte d'Ivoire, Cote d'Ivoire | CI
cmr | Cameroon | | CM
cod | DR Congo | Congo DR, Democratic Republic of the Congo | CD
col | Colombia | | CO
cpv | Cape Verde | Cabo Verde | CV
crc | Costa Rica | | CRI, CR
cro | Croatia | | HRV, HR
cuw | Curaçao | Curacao | CW
cze | Czechia | Czech Republic | CZ
den | Denmark | | DNK, DK
ecu | Ecuador | | EC
egy | Egypt | | EG
eng | England | | GB
esp | Spain | | ES
fin | Finland | | FI
fra | France | | FR
gab | Gabon | | GA
geo | Georgia | | GE
ger | Germany | | DEU, DE
gha | Ghana | | GH
gre | Greece | | GRC, GR
gua | Guatemala | | GTM, GT
gui | Guinea | | GN
hai | Haiti | | HTI, HT
hon | Honduras | | HND, HN
hun | Hungary | | HU
irl | Ireland | Republic of Ireland | IE
irn | Iran | IR Iran | IR
irq | Iraq | | IQ
isl | Iceland | | IS
isr | Israel | | IL
ita | Italy | | IT
jam | Jamaica | | JM
jor | Jordan | | JO
jpn | Japan | | JP
kor | South Korea | Korea Republic, Korea | KR
kos | Kosovo | | XK
ksa | Saudi Arabia | | SAU, SA
mar | Morocco | | MA
mex | Mexico | | MX
mkd | North Macedonia | | MK
mli | Mali | | ML
nca | New Caledonia | | NCL, NC
ned | Netherlands | Holland | NL
nga | Nigeria | | NG
nir | Northern Ireland
nor | Norway | | NO
nzl | New Zealand | | NZ
oma | Oman | | OMN, OM
pan | Panama | | PA
par | Paraguay | | PRY, PY
per | Peru | | PE
pol | Poland | | PL
por | Portugal | | PRT, PT
qat | Qatar | | QA
rou | Romania | | RO
rsa | South Africa | | ZAF, ZA
sco | Scotland
sen | Senegal | | SN
slv | El Salvador | | SV
srb | Serbia | | RS
sui | Switzerland | | CHE, CH
sur | Suriname | | SR
svk | Slovakia | | SK
svn | Slovenia | | SI
swe | Sweden | | SE
tri | Trinidad and Tobago | Trinidad & Tobago | TTO, TT
tun | Tunisia | | TN
tur | Türkiye | Turkey, Turkiye | TR
uae | United Arab Emirates | UAE | ARE, AE
ukr | Ukraine | | UA
uru | Uruguay | | URY, UY
usa | United States | USA, USMNT, United States of America | US
uzb | Uzbekistan | | UZ
ven | Venezuela | | VE
wal | Wales
`;

/** Of Europe, with codes that are not all known. */
const MORE_NATIONS = `
and | Andorra
arm | Armenia
aze | Azerbaijan
blr | Belarus
cyp | Cyprus
est | Estonia
fro | Faroe Islands
gib | Gibraltar
kaz | Kazakhstan
lie | Liechtenstein
ltu | Lithuania
lux | Luxembourg
lva | Latvia
mda | Moldova
mlt | Malta
mne | Montenegro
smr | San Marino
`;

export const NATIONS = new TeamTable(NATION_LINES);
export const MORE_OF_NATIONS = new TeamTable(NATION_LINES + MORE_NATIONS, { codes: 'hints' });

/** Women's. */
export const NWSL = new TeamTable(
  `
acfc | Angel City | Angel City FC, Los Angeles
bay | Bay FC | Bay
bos | Boston Legacy | Boston, Boston Legacy FC
chi | Chicago Stars | Chicago, Chicago Stars FC, Chicago Red Stars
den | Denver Summit | Denver, Denver Summit FC
njny | Gotham FC | Gotham, NJ/NY Gotham, NJ/NY Gotham FC, New York
hou | Houston Dash | Houston
kc | Kansas City Current | Kansas City, KC Current
nc | North Carolina Courage | North Carolina
orl | Orlando Pride | Orlando
por | Portland Thorns | Portland, Portland Thorns FC
lou | Racing Louisville | Louisville, Racing Louisville FC
sd | San Diego Wave | San Diego, San Diego Wave FC
sea | Seattle Reign | Seattle, Seattle Reign FC, OL Reign
uta | Utah Royals | Utah, Utah Royals FC
was | Washington Spirit | Washington
`,
  { codes: 'hints', isOfClubs: true },
);

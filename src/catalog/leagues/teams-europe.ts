// The clubs and national teams of football in Europe. Facts of the leagues, with the codes of both venues.

import { TeamTable } from './team-table.ts';

export const ENGLAND = `
ars | Arsenal
avl | Aston Villa | | AST
bou | Bournemouth | AFC Bournemouth
bre | Brentford
bha | Brighton | Brighton & Hove Albion, Brighton Hove Albion | BRI
bur | Burnley
che | Chelsea | | CFC
cov | Coventry City | Coventry
cry | Crystal Palace | | CRP, CPFC
eve | Everton
ful | Fulham
hul | Hull City | Hull
ips | Ipswich Town | Ipswich
lee | Leeds United | Leeds
lei | Leicester City | Leicester
liv | Liverpool | | LFC
mci | Manchester City | Man City | MAC, MNC
mun | Manchester United | Man United | MNU
new | Newcastle United | Newcastle
nfo | Nottingham Forest | Nottingham, Forest, Nott'm Forest | NOT
sou | Southampton
sun | Sunderland
tot | Tottenham Hotspur | Tottenham, Spurs
whu | West Ham United | West Ham | WES
wol | Wolverhampton Wanderers | Wolverhampton, Wolves
`;

/** Of the second league there, and clubs that move between it and the first. */
export const CHAMPIONSHIP_ONLY = `
bir | Birmingham City | Birmingham | BC
bla | Blackburn Rovers | Blackburn
brc | Bristol City | Bristol | BRI
cha | Charlton Athletic | Charlton
der | Derby County | Derby
mid | Middlesbrough | Boro
mil | Millwall
nor | Norwich City | Norwich
oxu | Oxford United | Oxford
por | Portsmouth
pne | Preston North End | Preston
qpr | Queens Park Rangers | QPR
shu | Sheffield United | Sheffield Utd
shw | Sheffield Wednesday | Sheffield Wed
stk | Stoke City | Stoke
swa | Swansea City | Swansea
wat | Watford
wba | West Bromwich Albion | West Brom, West Bromwich
wre | Wrexham
bol | Bolton Wanderers | Bolton
cdf | Cardiff City | Cardiff
lin | Lincoln City | Lincoln
`;

export const SPAIN = `
ala | Alavés | Deportivo Alavés
alm | Almería | UD Almería
ath | Athletic Club | Athletic Bilbao, Athletic, Bilbao | BIL
atm | Atlético Madrid | Atlético, Club Atlético de Madrid, Atlético de Madrid | MAD
bar | Barcelona | FC Barcelona | FCB
bet | Real Betis | Betis, Real Betis Balompié | RBB
cel | Celta Vigo | Celta, Celta de Vigo | RCC
dlc | Deportivo La Coruña | Deportivo, Deportivo de La Coruña | DEP
elc | Elche | Elche CF
esp | Espanyol | RCD Espanyol de Barcelona, Espanyol Barcelona
get | Getafe | Getafe CF
gir | Girona | Girona FC
leg | Leganés | CD Leganés
lpa | Las Palmas | UD Las Palmas
lvt | Levante | Levante UD | LEV
mll | Mallorca | RCD Mallorca | MAL
mlg | Málaga | Málaga CF
osa | Osasuna | CA Osasuna
ovi | Real Oviedo | Oviedo
rac | Racing Santander | Racing, Racing de Santander, Real Racing Club, Real Racing Club de Santander
ray | Rayo Vallecano | Rayo, Vallecano, Rayo Vallecano de Madrid | RVC
rma | Real Madrid | Real Madrid CF | REA
rso | Real Sociedad | Real Sociedad de Fútbol, Real Sociedad San Sebastian
sev | Sevilla | Sevilla FC
vcf | Valencia | Valencia CF | VAL
vll | Valladolid | Real Valladolid
vil | Villarreal | Villarreal CF
`;

export const GERMANY = `
fca | Augsburg | FC Augsburg | AUG
b04 | Bayer Leverkusen | Leverkusen, Bayer 04 Leverkusen | LEV
bay | Bayern Munich | Bayern, FC Bayern München, Bayern München | BMU
bvb | Borussia Dortmund | Dortmund, BV Borussia 09 Dortmund | DOR
bmg | Borussia Mönchengladbach | Mönchengladbach, M'gladbach, Borussia M'gladbach, Gladbach, Monchengladbach, Borussia Monchengladbach | MOE
sge | Eintracht Frankfurt | Frankfurt | EIN
elv | Elversberg | SV Elversberg, SV 07 Elversberg
koe | Köln | 1. FC Köln, FC Köln, Cologne, FC Cologne, Koln | KOE
scf | Freiburg | SC Freiburg | FRE
hsv | Hamburg | Hamburger SV, HSV
fch | Heidenheim | 1. FC Heidenheim, 1. FC Heidenheim 1846 | HEI
bsc | Hertha Berlin | Hertha, Hertha BSC
tsg | Hoffenheim | TSG Hoffenheim, TSG 1899 Hoffenheim | HOF
ksv | Holstein Kiel | Kiel | HOL
rbl | RB Leipzig | Leipzig, RasenBallsport Leipzig
m05 | Mainz | Mainz 05, 1. FSV Mainz 05, FSV Mainz 05 | MAI
pad | Paderborn | SC Paderborn 07, Paderborn 07
s04 | Schalke | Schalke 04, FC Schalke 04
stp | St. Pauli | FC St. Pauli, FC St. Pauli 1910 | PAU
vfb | Stuttgart | VfB Stuttgart | STU
fcu | Union Berlin | 1. FC Union Berlin | UNI
svw | Werder Bremen | SV Werder Bremen, Werder, Bremen | WER
wob | Wolfsburg | VfL Wolfsburg | WOL
`;

export const ITALY = `
mil | AC Milan | Milan | ACM
ata | Atalanta | Atalanta BC
bol | Bologna | Bologna FC 1909 | BFC
cag | Cagliari | Cagliari Calcio
com | Como | Como 1907
cre | Cremonese | US Cremonese
emp | Empoli | Empoli FC
fio | Fiorentina | ACF Fiorentina
fro | Frosinone | Frosinone Calcio
gen | Genoa | Genoa CFC
int | Inter Milan | Inter, Internazionale, FC Internazionale Milano, Inter Milano
juv | Juventus | Juventus FC
laz | Lazio | SS Lazio
lec | Lecce | US Lecce
mza | Monza | AC Monza
nap | Napoli | SSC Napoli
pal | Palermo | Palermo FC
par | Parma | Parma Calcio 1913, Parma Calcio
pis | Pisa | AC Pisa 1909, Pisa SC
rom | Roma | AS Roma
sas | Sassuolo | US Sassuolo, US Sassuolo Calcio
tor | Torino | Torino FC
udi | Udinese | Udinese Calcio
ven | Venezia | Venezia FC
ver | Hellas Verona | Verona, Hellas Verona FC
`;

export const FRANCE = `
ang | Angers | Angers SCO
aux | Auxerre | AJ Auxerre | AJA
brest | Brest | Stade Brestois, Stade Brestois 29 | STB, SBR
hac | Le Havre | Le Havre AC
lem | Le Mans | Le Mans FC
rcl | Lens | RC Lens, Racing Club de Lens
lil | Lille | Lille OSC, LOSC, LOSC Lille
lor | Lorient | FC Lorient | FCL
ol | Lyon | Olympique Lyonnais, Olympique Lyon | LYO
om | Marseille | Olympique de Marseille, Olympique Marseille | OLM
met | Metz | FC Metz | FCM
asm | Monaco | AS Monaco, AS Monaco FC
mtp | Montpellier | Montpellier HSC
nan | Nantes | FC Nantes | FCN
nic | Nice | OGC Nice | OGC
pfc | Paris FC | Paris, Paris Football Club
psg | Paris Saint-Germain | Paris, PSG, Paris SG, Paris Saint Germain | PAR
rei | Reims | Stade de Reims
ren | Rennes | Stade Rennais, Stade Rennais FC 1901
ste | Saint-Étienne | AS Saint-Étienne
rcs | Strasbourg | RC Strasbourg Alsace | STR
tou | Toulouse | Toulouse FC | TFC
tro | Troyes | ESTAC Troyes
`;

/** Of other leagues, in the European cups. */
const ELSEWHERE = `
aek | AEK Athens | AEK
ajx | Ajax | AFC Ajax | AJA
and | Anderlecht | RSC Anderlecht
az | AZ Alkmaar | AZ, Alkmaar
bas | Basel | FC Basel 1893
ben | Benfica | SL Benfica, Sport Lisboa e Benfica
bes | Beşiktaş | Besiktas JK, Beşiktaş JK
bod | Bodø/Glimt | Bodo Glimt, FK Bodø/Glimt | BOG
bra | Braga | SC Braga, Sporting Braga | SCB
bru | Club Brugge | Brugge, Club Brugge KV
celt | Celtic | Celtic FC | CLT
cop | Copenhagen | FC Copenhagen, FC København, København | KOB
crv | Crvena Zvezda | Red Star Belgrade, FK Crvena Zvezda, FK Crvena Zvezda Belgrade, Red Star | CZV
din | Dinamo Zagreb | GNK Dinamo Zagreb
dyk | Dynamo Kyiv | Dynamo Kiev
fen | Fenerbahçe | Fenerbahçe SK | FFK
fer | Ferencváros | Ferencvárosi, Ferencvárosi TC, Ferencvaros
fey | Feyenoord | Feyenoord Rotterdam
fcsb | FCSB | Steaua București
gae | Go Ahead Eagles | GA Eagles | GOA
gal | Galatasaray | Galatasaray SK
gnk | Genk | KRC Genk
kai | Kairat | Kairat Almaty, FC Kairat | ALM
lud | Ludogorets | Ludogorets Razgrad, PFC Ludogorets 1945
mac | Maccabi Tel Aviv | Maccabi Tel-Aviv FC
malm | Malmö | Malmö FF, Malmo
mid | Midtjylland | FC Midtjylland
oly | Olympiacos | Olympiacos Piraeus, Olympiakos, PAE Olympiakos SFP | OLE
paf | Pafos | Pafos FC
pan | Panathinaikos | Panathinaikos FC
pao | PAOK | PAOK FC, PAOK Thessaloniki
plz | Viktoria Plzeň | FC Viktoria Plzeň, Plzen
fcp | Porto | FC Porto | POR
psv | PSV | PSV Eindhoven, Eindhoven
qar | Qarabağ | Qarabağ FK, Qarabag, Qarabağ Ağdam FK
ran | Rangers | Rangers FC, Glasgow Rangers
rbs | RB Salzburg | Salzburg, Red Bull Salzburg, FC Salzburg
sha | Shakhtar Donetsk | Shakhtar
sla | Slavia Prague | Slavia Praha, SK Slavia Praha | SLP
scp | Sporting CP | Sporting Lisbon, Sporting, Sporting Clube de Portugal | SPO
spp | Sparta Prague | Sparta Praha, AC Sparta Praha
stu | Sturm Graz | SK Sturm Graz
usg | Union Saint-Gilloise | Royale Union Saint-Gilloise, Union SG, Union St. Gilloise, Union Gilloise
utr | Utrecht | FC Utrecht
yob | Young Boys | BSC Young Boys
aar | AGF Aarhus | Aarhus, AGF
ist | Başakşehir | İstanbul Başakşehir, Rams Başakşehir
bran | Brann | SK Brann
csk | CSKA Sofia | PFC CSKA Sofia
gent | Gent | KAA Gent
haj | Hajduk Split | Hajduk, HNK Hajduk Split
hea | Heart of Midlothian | Hearts
hib | Hibernian
hra | Hradec Králové
jab | Jablonec
jag | Jagiellonia Białystok | Jagiellonia
lask | LASK
lech | Lech Poznań | KKS Lech Poznań
lvs | Levski Sofia | PFC Levski Sofia
lst | Lillestrøm
mot | Motherwell
nec | NEC Nijmegen | NEC, Nijmegen
fcn | Nordsjælland
omo | Omonia Nicosia | Omonia, AC Omonia
parb | Partizan Belgrade | Partizan, Partizan Beograd
rij | Rijeka | HNK Rijeka
sams | Samsunspor
sig | Sigma Olomouc | Olomouc
slov | Slovan Bratislava | ŠK Slovan Bratislava
stg | St. Gallen
thu | Thun | FC Thun
tore | Torreense
trab | Trabzonspor
trom | Tromsø
twe | Twente | FC Twente Enschede, Enschede
vik | Viking | Viking FK
`;

export const EPL = new TeamTable(ENGLAND, { isOfClubs: true });
export const CHAMPIONSHIP = new TeamTable(ENGLAND + CHAMPIONSHIP_ONLY, { codes: 'hints', isOfClubs: true });
export const LA_LIGA = new TeamTable(SPAIN, { codes: 'hints', isOfClubs: true });
export const BUNDESLIGA = new TeamTable(GERMANY, { codes: 'hints', isOfClubs: true });
export const SERIE_A = new TeamTable(ITALY, { codes: 'hints', isOfClubs: true });
export const LIGUE_1 = new TeamTable(FRANCE, { codes: 'hints', isOfClubs: true });
/** Clubs that may play in the European cups. */
export const EUROPE = new TeamTable(ENGLAND + SPAIN + GERMANY + ITALY + FRANCE + ELSEWHERE, {
  codes: 'hints',
  isOfClubs: true,
  isIncomplete: true,
});

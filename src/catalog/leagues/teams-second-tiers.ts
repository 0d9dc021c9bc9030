// The clubs below the first leagues of England, Spain, Germany, Italy, France and Brazil. Clubs move between two leagues each summer: a table
// has both, and serves the cup of the country as well. A club's second team plays in the second league of Spain: it has another name. Facts of the leagues.

import { TeamTable } from './team-table.ts';
import { CHAMPIONSHIP_ONLY, ENGLAND, FRANCE, GERMANY, ITALY, SPAIN } from './teams-europe.ts';
import { BRAZIL } from './teams-soccer.ts';

const ENGLAND_3 = `
wim | AFC Wimbledon | Wimbledon
bar | Barnsley
blp | Blackpool
bra | Bradford City | Bradford
bro | Bromley
btn | Burton Albion | Burton
cam | Cambridge United | Cambridge
don | Doncaster Rovers | Doncaster
exe | Exeter City | Exeter
hud | Huddersfield Town | Huddersfield
ley | Leyton Orient
lut | Luton Town | Luton
man | Mansfield Town | Mansfield
mkd | MK Dons | Milton Keynes Dons
nth | Northampton Town | Northampton
ntc | Notts County
pet | Peterborough United | Peterborough
ply | Plymouth Argyle | Plymouth
ptv | Port Vale
rea | Reading
rot | Rotherham United | Rotherham
ste | Stevenage
stp | Stockport County | Stockport
wig | Wigan Athletic | Wigan
wyc | Wycombe Wanderers | Wycombe
`;

const SPAIN_2 = `
alb | Albacete | Albacete Balompié
fca | Andorra | FC Andorra
bur | Burgos | Burgos CF
cad | Cádiz | Cádiz CF
car | Cartagena | FC Cartagena
cas | Castellón | CD Castellón
celb | Celta Fortuna | Celta B, Celta Vigo B, RC Celta Fortuna, Celta de Vigo B
ceu | Ceuta | AD Ceuta, AD Ceuta FC
cor | Córdoba | Córdoba CF
cul | Cultural Leonesa | Cultural y Deportiva Leonesa
eib | Eibar | SD Eibar
eld | Eldense | CD Eldense
grn | Granada | Granada CF
hue | Huesca | SD Huesca
mir | Mirandés | CD Mirandés
rsob | Real Sociedad B | Real Sociedad II, Real Sociedad de Fútbol II, Real Sociedad de Fútbol B
sab | Sabadell | CE Sabadell
spg | Sporting Gijón | Gijón, Real Sporting de Gijón, Real Sporting, Sporting de Gijón
ten | Tenerife | CD Tenerife
zar | Zaragoza | Real Zaragoza
`;

const GERMANY_2 = `
bie | Arminia Bielefeld | Bielefeld, DSC Arminia Bielefeld
boc | Bochum | VfL Bochum, VfL Bochum 1848
bra | Eintracht Braunschweig | Braunschweig
cot | Energie Cottbus | Cottbus, FC Energie Cottbus
dar | Darmstadt | Darmstadt 98, SV Darmstadt 98
dre | Dynamo Dresden | Dresden, SG Dynamo Dresden
dui | Duisburg | MSV Duisburg
f95 | Fortuna Düsseldorf | Düsseldorf, TSV Fortuna Düsseldorf
sgf | Greuther Fürth | Fürth, SpVgg Greuther Fürth
h96 | Hannover | Hannover 96
fck | Kaiserslautern | 1. FC Kaiserslautern
ksc | Karlsruhe | Karlsruher SC, Karlsruher
fcm | Magdeburg | 1. FC Magdeburg
pre | Preußen Münster | Münster, SC Preußen Münster, SC Preußen 06 Münster
fcn | Nürnberg | 1. FC Nürnberg, Nuremberg
osn | Osnabrück | VfL Osnabrück
reg | Jahn Regensburg | Regensburg, SSV Jahn Regensburg
rwe | Rot-Weiss Essen | Essen
ros | Hansa Rostock | Rostock, FC Hansa Rostock
ulm | Ulm | SSV Ulm, SSV Ulm 1846
`;

const ITALY_2 = `
are | Arezzo | SS Arezzo
asc | Ascoli | Ascoli Calcio
ave | Avellino | US Avellino, US Avellino 1912
bar | Bari | SSC Bari
bnv | Benevento | Benevento Calcio
car | Carrarese | Carrarese Calcio 1908, Carrarese Calcio
ctz | Catanzaro | US Catanzaro, US Catanzaro 1929
ces | Cesena | Cesena FC
cit | Cittadella | AS Cittadella
ent | Virtus Entella | Entella
jst | Juve Stabia | Stabia, SS Juve Stabia
man | Mantova | Mantova 1911
mod | Modena | Modena FC, Modena FC 2018
pad | Padova | Calcio Padova
pes | Pescara | Delfino Pescara, Delfino Pescara 1936
reg | Reggiana | AC Reggiana, AC Reggiana 1919
sal | Salernitana | US Salernitana, US Salernitana 1919
sam | Sampdoria | UC Sampdoria
spe | Spezia | Spezia Calcio
sud | Südtirol | FC Südtirol
vic | Vicenza | LR Vicenza, L.R. Vicenza
`;

const FRANCE_2 = `
ami | Amiens | Amiens SC
ann | Annecy | FC Annecy
bas | Bastia | SC Bastia
bou | Boulogne | US Boulogne, US Boulogne Côte d'Opale
cae | Caen | SM Caen
cle | Clermont | Clermont Foot, Clermont Foot 63
dij | Dijon | Dijon FCO
dun | Dunkerque | USL Dunkerque
gre | Grenoble | Grenoble Foot 38
gui | Guingamp | EA Guingamp, En Avant Guingamp
lav | Laval | Stade Lavallois
ncy | Nancy | AS Nancy-Lorraine, AS Nancy
pau | Pau | Pau FC
red | Red Star | Red Star FC
rod | Rodez | Rodez AF
soc | Sochaux | FC Sochaux-Montbéliard
`;

const BRAZIL_2 = `
amm | América Mineiro | América-MG, América MG, América FC
ath | Athletic Club MG | Athletic Club, Athletic, Athletic-MG, Athletic Club São João del-Rei
acg | Atlético Goianiense | Atlético-GO, Atlético GO, AC Goianiense
ava | Avaí | Avaí FC
bsp | Botafogo SP | Botafogo-SP, Botafogo Ribeirão Preto, Botafogo FC SP
crb | CRB | Clube de Regatas Brasil
cri | Criciúma | Criciúma EC
cui | Cuiabá | Cuiabá EC
goi | Goiás | Goiás EC
lon | Londrina | Londrina EC
nau | Náutico | Clube Náutico Capibaribe
nov | Novorizontino | Grêmio Novorizontino
ope | Operário | Operário-PR, Operário PR, Operário Ferroviário
pon | Ponte Preta | AA Ponte Preta
sbe | São Bernardo | São Bernardo FC
vil | Vila Nova | Vila Nova FC
`;

export const ENGLAND_THREE = new TeamTable(ENGLAND + CHAMPIONSHIP_ONLY + ENGLAND_3, {
  codes: 'hints',
  isOfClubs: true,
});
export const BRAZIL_BOTH = new TeamTable(BRAZIL + BRAZIL_2, { codes: 'hints', isOfClubs: true });
export const SPAIN_BOTH = new TeamTable(SPAIN + SPAIN_2, { codes: 'hints', isOfClubs: true });
export const GERMANY_BOTH = new TeamTable(GERMANY + GERMANY_2, { codes: 'hints', isOfClubs: true });
export const ITALY_BOTH = new TeamTable(ITALY + ITALY_2, { codes: 'hints', isOfClubs: true });
export const FRANCE_BOTH = new TeamTable(FRANCE + FRANCE_2, { codes: 'hints', isOfClubs: true });

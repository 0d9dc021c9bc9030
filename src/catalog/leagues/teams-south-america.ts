// The clubs of the first leagues of South America. All of them may meet in the Copa Libertadores and the Copa Sudamericana, so no two
// share an id. A name that clubs of two countries have (`Nacional`, `Barcelona`) matches neither there. Facts of the leagues.

import { TeamTable } from './team-table.ts';
import { BRAZIL } from './teams-soccer.ts';

const ARGENTINA = `
aldosivi | Aldosivi | CA Aldosivi
argentinos | Argentinos Juniors | Argentinos, AA Argentinos Juniors, Argentinos Jrs
atl-tucuman | Atlético Tucumán | CA Tucumán, Tucumán, Club Atlético Tucumán
banfield | Banfield | CA Banfield
barracas | Barracas Central | CA Barracas Central
belgrano | Belgrano | CA Belgrano, Belgrano de Córdoba
boca | Boca Juniors | CA Boca Juniors, Boca
central-cordoba | Central Córdoba | CA Central Córdoba, Central Córdoba SdE, Central Córdoba de Santiago
defensa | Defensa y Justicia | CSD Defensa y Justicia, Defensa
riestra | Deportivo Riestra | Riestra, CD Riestra
estudiantes-rc | Estudiantes de Río Cuarto | Estudiantes Río Cuarto, Estudiantes RC, Estudiantes
estudiantes | Estudiantes de La Plata | Estudiantes LP, Estudiantes
gimnasia-mza | Gimnasia y Esgrima de Mendoza | Mendoza, Gimnasia Mendoza, Gimnasia y Esgrima Mendoza, Gimnasia
gimnasia | Gimnasia y Esgrima La Plata | Gimnasia LP, Gimnasia La Plata, Gimnasia y Esgrima de La Plata, Gimnasia
godoy-cruz | Godoy Cruz | Godoy Cruz Antonio Tomba, CD Godoy Cruz
huracan | Huracán | CA Huracán
ind-rivadavia | Independiente Rivadavia | Rivadavia, Ind. Rivadavia, Independiente Rivadavia de Mendoza, CS Independiente Rivadavia
independiente | Independiente | CA Independiente, Independiente Avellaneda
instituto | Instituto | Instituto AC Córdoba, Instituto de Córdoba, Instituto Córdoba
lanus | Lanús | CA Lanús
newells | Newell's Old Boys | Newell's, CA Newell's Old Boys
platense | Platense | CA Platense
racing-ar | Racing Club | Racing, Racing Club de Avellaneda, Racing Avellaneda
river | River Plate | CA River Plate, River
rosario | Rosario Central | Rosario, CA Rosario Central
san-lorenzo | San Lorenzo | CA San Lorenzo de Almagro, San Lorenzo de Almagro
sarmiento | Sarmiento | CA Sarmiento, Sarmiento de Junín, Sarmiento Junín
talleres | Talleres | CA Talleres, Talleres de Córdoba, Talleres Córdoba
tigre | Tigre | CA Tigre
union-sf | Unión de Santa Fe | Unión, CA Unión, Unión Santa Fe, CA Unión de Santa Fe
velez | Vélez Sarsfield | Vélez, CA Vélez Sarsfield
`;

const COLOMBIA = `
aguilas | Águilas Doradas | Rionegro Águilas, Águilas Doradas Rionegro
alianza-co | Alianza FC Valledupar | Alianza, Alianza FC, Alianza Valledupar
america-cali | América de Cali | America, América
atl-nacional | Atlético Nacional | Nacional, CA Nacional, Atl. Nacional
bucaramanga | Atlético Bucaramanga | Bucaramanga, CA Bucaramanga
boyaca-chico | Boyacá Chicó | Chicó, Boyacá Chicó FC
cucuta | Cúcuta Deportivo | Cúcuta
dep-cali | Deportivo Cali | Asociación Deportivo Cali
pasto | Deportivo Pasto | Pasto
pereira | Deportivo Pereira | Pereira
tolima | Deportes Tolima | Tolima, CD Tolima
fortaleza-co | Fortaleza CEIF | Fortaleza, Fortaleza FC
medellin | Independiente Medellín | Ind. Medellín, Medellín, Deportivo Independiente Medellín
santa-fe | Independiente Santa Fe | Santa Fe, Ind. Santa Fe, Independ. Santa Fe, Santa Fé
inter-bogota | Internacional de Bogotá | Inter Bogotá, La Equidad, Inter de Bogotá
jaguares | Jaguares de Córdoba | Jaguares
junior | Junior | Junior FC, Junior Barranquilla, Atlético Junior, CD Popular Junior FC
llaneros | Llaneros | Llaneros FC
millonarios | Millonarios | Millonarios FC
once-caldas | Once Caldas
`;

const CHILE = `
audax | Audax Italiano | Audax CS Italiano
cobresal | Cobresal | CD Cobresal
colo-colo | Colo-Colo | CSD Colo-Colo
coquimbo | Coquimbo Unido | Coquimbo
concepcion | Deportes Concepción | CD Concepción
limache | Deportes Limache | Limache
iquique | Deportes Iquique | Iquique
la-serena | Deportes La Serena | La Serena
everton-cl | Everton de Viña del Mar | Everton, Everton Viña del Mar
huachipato | Huachipato | CD Huachipato
nublense | Ñublense | CD Ñublense
ohiggins | O'Higgins | O'Higgins FC
palestino | Palestino | CD Palestino
union-calera | Unión La Calera | La Calera, CD Unión La Calera
union-espanola | Unión Española
u-catolica-cl | Universidad Católica | Uni Católica, CD Universidad Católica, U. Católica
u-chile | Universidad de Chile | CF Universidad de Chile, U. de Chile, Uni Chile
u-concepcion | Universidad de Concepción | CD Universidad de Concepción
`;

const ECUADOR = `
aucas | Aucas | SD Aucas
barcelona-ec | Barcelona SC | Barcelona, Barcelona Guayaquil, Barcelona SC Guayaquil
cuenca | Deportivo Cuenca | Cuenca, CD Cuenca
delfin | Delfín | Delfín SC
emelec | Emelec | CS Emelec
guayaquil-city | Guayaquil City | Guayaquil City FC
ind-valle | Independiente del Valle | Ind. del Valle, CSD Independiente del Valle, IDV
leones-norte | Leones del Norte | Leones
libertad-ec | Libertad FC | Libertad Loja, Libertad
ldu | LDU Quito | Liga de Quito, LDU, Liga Deportiva Universitaria, LDU de Quito
macara | Macará | CSD Macará
manta | Manta | Manta FC
mushuc-runa | Mushuc Runa | Mushuc Runa SC
orense | Orense | Orense SC
tecnico-u | Técnico Universitario | CD Técnico Universitario
u-catolica-ec | Universidad Católica del Ecuador | Universidad Católica, U. Católica Quito, CD Universidad Católica
`;

const PERU = `
adt | ADT | ADT Tarma, Asociación Deportiva Tarma
alianza-atletico | Alianza Atlético | Alianza Atlético Sullana
alianza-lima | Alianza Lima | Club Alianza Lima
atl-grau | Atlético Grau | CA Grau
chankas | Los Chankas | Chankas, Los Chankas CYC
cienciano | Cienciano | Club Cienciano
comerciantes | Comerciantes Unidos
cusco | Cusco FC | Cusco
garcilaso | Deportivo Garcilaso
moquegua | Deportivo Moquegua | CD Moquegua
cajamarca | FC Cajamarca | Cajamarca
juan-pablo | Juan Pablo II College | Juan Pablo II
melgar | Melgar | FBC Melgar
sport-boys | Sport Boys | Sport Boys Association
sport-huancayo | Sport Huancayo | Huancayo
cristal | Sporting Cristal | Club Sporting Cristal
universitario | Universitario | Universitario de Deportes
utc | UTC Cajamarca | UTC, UTC de Cajamarca
`;

const URUGUAY = `
albion | Albion | Albion FC
boston-river | Boston River | CA Boston River
central-esp | Central Español
cerro | Cerro | CA Cerro
cerro-largo | Cerro Largo | Cerro Largo FC
danubio | Danubio | Danubio FC
defensor | Defensor Sporting | Defensor
dep-maldonado | Deportivo Maldonado | Dep Maldonado, Maldonado
juventud-uy | Juventud | CA Juventud, Juventud de Las Piedras
liverpool-uy | Liverpool Montevideo | Liverpool, Liverpool M, Liverpool FC Montevideo
city-torque | Montevideo City Torque | City Torque, Torque
wanderers-uy | Montevideo Wanderers | Wanderers
nacional-uy | Nacional de Montevideo | Nacional, Club Nacional de Football, Nacional Montevideo
penarol | Peñarol | CA Peñarol
progreso | Progreso | CA Progreso
racing-uy | Racing Club de Montevideo | Racing, Racing Club, Racing Montevideo
`;

const BOLIVIA = `
abb | ABB | Academia del Balompié Boliviano
always-ready | Always Ready | Club Always Ready
aurora-bo | Aurora | Club Aurora
blooming | Blooming | Club Blooming
bolivar | Bolívar | Club Bolívar
guabira | Guabirá | CD Guabirá
gv-san-jose | GV San José | CDT Real Oruro GV San José
ind-petrolero | Independiente Petrolero
nacional-potosi | Nacional Potosí | CA Nacional Potosí
oriente | Oriente Petrolero | CD Oriente Petrolero
real-oruro | Real Oruro
real-potosi | Real Potosí | Club Real Potosí
san-antonio-bo | San Antonio Bulo Bulo | San Antonio
the-strongest | The Strongest | Club The Strongest
tomayapo | Real Tomayapo | Tomayapo
u-vinto | Universitario de Vinto | FC Universitario, Universitario
`;

/** Of Paraguay and Venezuela, in the cups of the continent. */
const MORE = `
olimpia | Olimpia | Club Olimpia, Olimpia Asunción
cerro-porteno | Cerro Porteño | Club Cerro Porteño
libertad-py | Libertad | Club Libertad, Libertad Asunción
guarani-py | Guaraní | Club Guaraní
nacional-py | Nacional Asunción | Nacional, Club Nacional, Nacional de Asunción
trinidense | Sportivo Trinidense
ameliano | Sportivo Ameliano
recoleta | Recoleta | Deportivo Recoleta
2-de-mayo | 2 de Mayo | Sportivo 2 de Mayo
caracas | Caracas | Caracas FC
tachira | Deportivo Táchira | Táchira
la-guaira | Deportivo La Guaira | La Guaira
carabobo | Carabobo | Carabobo FC
u-central | Universidad Central de Venezuela | UCV, Universidad Central, UCV FC
academia-pc | Academia Puerto Cabello | Puerto Cabello
metropolitanos | Metropolitanos | Metropolitanos FC
monagas | Monagas | Monagas SC
portuguesa-ve | Portuguesa FC | Portuguesa
`;

const clubs = (lines: string): TeamTable => new TeamTable(lines, { codes: 'hints', isOfClubs: true });

export const ARGENTINE = clubs(ARGENTINA);
export const COLOMBIAN = clubs(COLOMBIA);
export const CHILEAN = clubs(CHILE);
export const ECUADORIAN = clubs(ECUADOR);
export const PERUVIAN = clubs(PERU);
export const URUGUAYAN = clubs(URUGUAY);
export const BOLIVIAN = clubs(BOLIVIA);
export const SOUTH_AMERICA = new TeamTable(
  ARGENTINA + BRAZIL + COLOMBIA + CHILE + ECUADOR + PERU + URUGUAY + BOLIVIA + MORE,
  { codes: 'hints', isOfClubs: true, isIncomplete: true },
);

// The schools of college sports, Division I. Facts of the leagues, with the known codes of both venues: there are many, and two schools may
// share one. Games of a school that is not here are never matched.

import { TeamTable } from './team-table.ts';

const SCHOOLS = `
ac | Abilene Christian | +Wildcats | ACU
afa | Air Force | +Falcons | AF
akr | Akron | +Zips
ala | Alabama | Bama, +Crimson Tide | BAMA
aamu | Alabama A&M | +Bulldogs
alst | Alabama State | +Hornets
alby | Albany | UAlbany, Albany NY, Albany (NY), +Great Danes | ALB
alcn | Alcorn State | Alcorn, +Braves
amer | American | American University, +Eagles
app | Appalachian State | App State, +Mountaineers
ariz | Arizona | +Wildcats
asu | Arizona State | +Sun Devils
ark | Arkansas | +Razorbacks
arpb | Arkansas-Pine Bluff | Arkansas Pine Bluff, Ark.-Pine Bluff, Pine Bluff, UAPB, +Golden Lions | UAPB
arst | Arkansas State | +Red Wolves
army | Army | Army West Point, +Black Knights
aub | Auburn | +Tigers
peay | Austin Peay | Austin Peay State, +Governors | APSU
ball | Ball State | +Cardinals | BALL
bay | Baylor | +Bears
bell | Bellarmine | +Knights
bel | Belmont | +Bruins
cook | Bethune-Cookman | Bethune Cookman, +Wildcats | BCU
bing | Binghamton | +Bearcats
bois | Boise State | +Broncos | BSU
bc | Boston College | +Eagles
bu | Boston University | Boston U., Boston Univ., +Terriers
bgsu | Bowling Green | Bowling Green State, +Falcons
brad | Bradley | +Braves
byu | BYU | Brigham Young, +Cougars
brwn | Brown | +Bears | BRN
bry | Bryant | +Bulldogs
buck | Bucknell | +Bison
buff | Buffalo | +Bulls
but | Butler | +Bulldogs
cbu | California Baptist | Cal Baptist, CA Baptist, +Lancers
cp | Cal Poly | Cal Poly SLO, +Mustangs
csb | Cal State Bakersfield | CSU Bakersfield, Bakersfield, Cal St. Bakersfield, +Roadrunners | CSUB
csf | Cal State Fullerton | CSU Fullerton, Fullerton, Fullerton State, Cal St. Fullerton, +Titans | CSUF
csn | Cal State Northridge | CSU Northridge, CSUN, Northridge, Cal St. Northridge, +Matadors | CSUN
cal | California | Cal, California-Berkeley, +Golden Bears
camp | Campbell | +Fighting Camels, +Camels
can | Canisius | +Golden Griffins, +Griffs
cark | Central Arkansas | +Bears | UCA
ccsu | Central Connecticut | Central Connecticut State, C. Connecticut St., Central Conn. St., +Blue Devils
cmu | Central Michigan | +Chippewas
cofc | Charleston | College of Charleston, Coll. of Charleston, Col. of Charleston, +Cougars
chso | Charleston Southern | Charleston So., +Buccaneers
char | Charlotte | UNC Charlotte, +49ers | CLT
chat | Chattanooga | UT Chattanooga, UTC, +Mocs
chs | Chicago State | +Cougars | CHST
cin | Cincinnati | +Bearcats
cit | The Citadel | Citadel, +Bulldogs
clem | Clemson | +Tigers
clev | Cleveland State | +Vikings
ccar | Coastal Carolina | +Chanticleers
colg | Colgate | +Raiders
colo | Colorado | +Buffaloes
csu | Colorado State | +Rams
clmb | Columbia | +Lions
conn | Connecticut | UConn, +Huskies | UCONN
copp | Coppin State | +Eagles
cor | Cornell | +Big Red
crei | Creighton | +Bluejays
dart | Dartmouth | +Big Green
dav | Davidson | +Wildcats
day | Dayton | +Flyers
del | Delaware | +Blue Hens, +Fightin' Blue Hens
dsu | Delaware State | +Hornets | DEST
den | Denver | +Pioneers
dep | DePaul | +Blue Demons
det | Detroit Mercy | Detroit, Detroit-Mercy, UDM, +Titans
drke | Drake | +Bulldogs
drex | Drexel | +Dragons
duke | Duke | +Blue Devils
duq | Duquesne | +Dukes
ecu | East Carolina | +Pirates
etsu | East Tennessee State | ETSU, East Tenn. St., +Buccaneers
etam | East Texas A&M | Texas A&M-Commerce, Texas A&M Commerce, +Lions
eiu | Eastern Illinois | +Panthers
eky | Eastern Kentucky | +Colonels | EKU
emu | Eastern Michigan | +Eagles
ewu | Eastern Washington | +Eagles
elon | Elon | +Phoenix
evan | Evansville | +Purple Aces
fair | Fairfield | +Stags
fdu | Fairleigh Dickinson | FDU, +Knights
fla | Florida | +Gators
famu | Florida A&M | +Rattlers
fau | Florida Atlantic | FAU, Fla. Atlantic, FL Atlantic, +Owls
fgcu | Florida Gulf Coast | FGCU, Fla. Gulf Coast, FL Gulf Coast, +Eagles
fiu | Florida International | FIU, Florida Int'l, Florida Intl, +Panthers, +Golden Panthers
fsu | Florida State | +Seminoles
for | Fordham | +Rams
fres | Fresno State | +Bulldogs
fur | Furman | +Paladins
webb | Gardner-Webb | Gardner Webb, +Runnin' Bulldogs, +Bulldogs
gmu | George Mason | +Patriots
gw | George Washington | GW, G. Washington, +Revolutionaries, +Colonials
gtwn | Georgetown | +Hoyas
uga | Georgia | +Bulldogs
gaso | Georgia Southern | Ga. Southern, Georgia So., +Eagles
gast | Georgia State | +Panthers
gt | Georgia Tech | +Yellow Jackets
gonz | Gonzaga | +Bulldogs
gram | Grambling State | Grambling, +Tigers
gc | Grand Canyon | GCU, +Antelopes, +Lopes | GCU
gb | Green Bay | Wisconsin-Green Bay, Wisconsin Green Bay, UW-Green Bay, +Phoenix
hamp | Hampton | +Pirates
harv | Harvard | +Crimson
haw | Hawaii | Hawai'i, Hawai‘i, +Rainbow Warriors, +Warriors, +Rainbow Wahine | HAWAII
hp | High Point | +Panthers
hof | Hofstra | +Pride
hc | Holy Cross | +Crusaders
hou | Houston | +Cougars
hcu | Houston Christian | Houston Baptist, +Huskies
how | Howard | +Bison
iw | Incarnate Word | UIW, +Cardinals | UIW
idho | Idaho | +Vandals
idst | Idaho State | +Bengals
ill | Illinois | +Fighting Illini
uic | UIC | Illinois-Chicago, Illinois Chicago, Ill.-Chicago, +Flames
ilst | Illinois State | +Redbirds
ind | Indiana | +Hoosiers | IU
inst | Indiana State | +Sycamores
iuin | IU Indianapolis | IU Indy, IUPUI, IU Indiana, +Jaguars | IUI, IUPUI
iona | Iona | +Gaels
iowa | Iowa | +Hawkeyes
isu | Iowa State | +Cyclones
jkst | Jackson State | +Tigers
jac | Jacksonville | +Dolphins
jvst | Jacksonville State | Jax State, +Gamecocks
jmu | James Madison | +Dukes
kan | Kansas | +Jayhawks | KU
umkc | Kansas City | UMKC, Missouri-Kansas City, +Roos, +Kangaroos
ksu | Kansas State | +Wildcats
kenn | Kennesaw State | +Owls
kent | Kent State | +Golden Flashes
uk | Kentucky | +Wildcats
las | La Salle | LaSalle, +Explorers
laf | Lafayette | +Leopards
lam | Lamar | Lamar University, +Cardinals
lmc | Le Moyne | LeMoyne, +Dolphins
leh | Lehigh | +Mountain Hawks
lib | Liberty | +Flames
linw | Lindenwood | +Lions
lip | Lipscomb | +Bisons
ualr | Little Rock | Ark.-Little Rock, UA Little Rock, Arkansas-Little Rock, Arkansas Little Rock, UALR, +Trojans | LR
liu | LIU | Long Island, Long Island University, LIU Brooklyn, +Sharks
lbsu | Long Beach State | LBSU, +49ers, +Beach
long | Longwood | +Lancers
ull | Louisiana | Louisiana-Lafayette, Louisiana Lafayette, UL Lafayette, +Ragin' Cajuns
ulm | Louisiana-Monroe | Louisiana Monroe, UL Monroe, ULM, +Warhawks
lt | Louisiana Tech | La. Tech, +Bulldogs
lou | Louisville | +Cardinals
luc | Loyola Chicago | Loyola-Chicago, Loyola (Chi), Loyola (IL), Loyola, +Ramblers
lmd | Loyola Maryland | Loyola-Maryland, Loyola (MD), Loyola MD, Loyola, +Greyhounds
lmu | Loyola Marymount | LMU, Loyola (CA), +Lions
lsu | LSU | Louisiana State, +Tigers
me | Maine | +Black Bears
man | Manhattan | +Jaspers
mrst | Marist | +Red Foxes
marq | Marquette | +Golden Eagles
mrsh | Marshall | +Thundering Herd
md | Maryland | +Terrapins
umes | Maryland Eastern Shore | Maryland-Eastern Shore, Md.-Eastern Shore, UMES, +Hawks
mass | Massachusetts | UMass, +Minutemen, +Minutewomen
mcns | McNeese | McNeese State, +Cowboys
mem | Memphis | +Tigers
mer | Mercer | +Bears
mhu | Mercyhurst | +Lakers
mrmk | Merrimack | +Warriors
mia | Miami (FL) | Miami, Miami FL, Miami Florida, Miami-Florida, Miami (Fla.), +Hurricanes
moh | Miami (OH) | Miami, Miami OH, Miami Ohio, Miami-Ohio, Miami (Ohio), +RedHawks, +Red Hawks
mich | Michigan | +Wolverines
msu | Michigan State | +Spartans
mtu | Middle Tennessee | Middle Tennessee State, Middle Tenn., MTSU, +Blue Raiders | MTSU
milw | Milwaukee | Wisconsin-Milwaukee, Wisconsin Milwaukee, UW-Milwaukee, +Panthers
minn | Minnesota | +Golden Gophers, +Gophers
msst | Mississippi State | Miss. State, Miss. St., +Bulldogs
mvsu | Mississippi Valley State | Mississippi Valley, Miss. Valley St., MVSU, +Delta Devils | MVS
mizz | Missouri | +Tigers | MIZ
mosu | Missouri State | +Bears
monm | Monmouth | +Hawks
mont | Montana | +Grizzlies, +Lady Griz
mtst | Montana State | +Bobcats
more | Morehead State | +Eagles
morg | Morgan State | +Bears
msm | Mount St. Mary's | Mt. St. Mary's, +Mountaineers
murr | Murray State | +Racers
navy | Navy | +Midshipmen
neb | Nebraska | +Cornhuskers, +Huskers
neom | Omaha | Nebraska-Omaha, Nebraska Omaha, +Mavericks | OMA
nev | Nevada | +Wolf Pack
nhc | New Haven | +Chargers
unh | New Hampshire | +Wildcats
unm | New Mexico | +Lobos
nmsu | New Mexico State | +Aggies
uno | New Orleans | +Privateers
niag | Niagara | +Purple Eagles
nich | Nicholls | Nicholls State, +Colonels
njit | NJIT | New Jersey Tech, +Highlanders
norf | Norfolk State | +Spartans
una | North Alabama | +Lions
unc | North Carolina | UNC, +Tar Heels
ncat | North Carolina A&T | NC A&T, N.C. A&T, +Aggies
nccu | North Carolina Central | NC Central, N.C. Central, NCCU, +Eagles
ncst | NC State | North Carolina State, N.C. State, +Wolfpack
und | North Dakota | +Fighting Hawks
ndsu | North Dakota State | +Bison
unf | North Florida | +Ospreys
unt | North Texas | +Mean Green
ne | Northeastern | +Huskies
nau | Northern Arizona | +Lumberjacks
unco | Northern Colorado | +Bears
niu | Northern Illinois | NIU, +Huskies
uni | Northern Iowa | UNI, +Panthers
nku | Northern Kentucky | +Norse
nw | Northwestern | +Wildcats
nwst | Northwestern State | +Demons
nd | Notre Dame | +Fighting Irish
oak | Oakland | +Golden Grizzlies
ohio | Ohio | Ohio University, +Bobcats
osu | Ohio State | +Buckeyes
okla | Oklahoma | +Sooners | OU
okst | Oklahoma State | +Cowboys, +Cowgirls
odu | Old Dominion | +Monarchs
miss | Ole Miss | Mississippi, +Rebels
oru | Oral Roberts | +Golden Eagles
ore | Oregon | +Ducks
orst | Oregon State | +Beavers
pac | Pacific | +Tigers
penn | Penn | Pennsylvania, UPenn, +Quakers
psu | Penn State | +Nittany Lions
pepp | Pepperdine | +Waves
pitt | Pittsburgh | Pitt, +Panthers
port | Portland | +Pilots
prst | Portland State | +Vikings
pv | Prairie View A&M | Prairie View, +Panthers | PVAM
pre | Presbyterian | Presbyterian College, +Blue Hose | PRES
prin | Princeton | +Tigers
prov | Providence | +Friars
pur | Purdue | +Boilermakers
pfw | Purdue Fort Wayne | Fort Wayne, IPFW, +Mastodons
quc | Queens | Queens University, Queens (NC), Queens Charlotte, Queens NC, +Royals
quin | Quinnipiac | +Bobcats
rad | Radford | +Highlanders
uri | Rhode Island | +Rams
rice | Rice | +Owls
rich | Richmond | +Spiders
rid | Rider | +Broncs
rmu | Robert Morris | +Colonials
rutg | Rutgers | +Scarlet Knights
sac | Sacramento State | Sac State, Cal State Sacramento, +Hornets
shu | Sacred Heart | +Pioneers
sfpa | Saint Francis (PA) | Saint Francis, St. Francis-PA, St. Francis PA, +Red Flash
joes | Saint Joseph's | Saint Josephs, Saint Joseph's (PA), St. Joe's, +Hawks
slu | Saint Louis | +Billikens
smc | Saint Mary's | Saint Mary's (CA), Saint Mary's CA, Saint Mary's College, +Gaels
spc | Saint Peter's | +Peacocks
shsu | Sam Houston | Sam Houston State, +Bearkats
sam | Samford | +Bulldogs
usd | San Diego | +Toreros
sdsu | San Diego State | SDSU, +Aztecs
sf | San Francisco | +Dons
sjsu | San Jose State | San José State, +Spartans
scu | Santa Clara | +Broncos
sea | Seattle | Seattle U, Seattle University, +Redhawks
hall | Seton Hall | +Pirates
sie | Siena | +Saints
siue | SIU Edwardsville | SIUE, SIU-Edwardsville, Southern Illinois Edwardsville, +Cougars
smu | SMU | Southern Methodist, +Mustangs
usa | South Alabama | +Jaguars
scar | South Carolina | +Gamecocks
scst | South Carolina State | SC State, +Bulldogs
scus | USC Upstate | S.C. Upstate, South Carolina Upstate, SC Upstate, +Spartans
sdak | South Dakota | +Coyotes
sdst | South Dakota State | +Jackrabbits
usf | South Florida | +Bulls
semo | Southeast Missouri State | Southeast Missouri, SEMO, +Redhawks
sela | Southeastern Louisiana | SE Louisiana, Southeastern La., +Lions, +Lady Lions
sou | Southern | Southern University, Southern U., +Jaguars
siu | Southern Illinois | SIU, +Salukis
usi | Southern Indiana | USI, +Screaming Eagles
usm | Southern Miss | Southern Mississippi, +Golden Eagles
suu | Southern Utah | +Thunderbirds
sbon | St. Bonaventure | St. Bona., +Bonnies
sju | St. John's | St. John's (NY), St. John's NY, +Red Storm
ust | St. Thomas (MN) | St. Thomas, St. Thomas MN, St. Thomas-Minnesota, St. Thomas Minnesota, +Tommies
stan | Stanford | +Cardinal
sfa | Stephen F. Austin | SF Austin, S.F. Austin, SFA, +Lumberjacks, +Ladyjacks
stet | Stetson | +Hatters
stnh | Stonehill | +Skyhawks
ston | Stony Brook | +Seawolves
syr | Syracuse | +Orange
tarl | Tarleton State | Tarleton, +Texans
tcu | TCU | Texas Christian, +Horned Frogs
tem | Temple | +Owls
tenn | Tennessee | +Volunteers, +Lady Volunteers, +Vols
tnst | Tennessee State | +Tigers
tntc | Tennessee Tech | +Golden Eagles
utm | UT Martin | Tennessee-Martin, Tennessee Martin, Tenn-Martin, Tenn.-Martin, +Skyhawks
tex | Texas | +Longhorns
txam | Texas A&M | +Aggies | TAMU
amcc | Texas A&M-Corpus Christi | Texas A&M-CC, Texas A&M CC, A&M-Corpus Christi, TAMU-CC, Texas A&M Corpus Chris, +Islanders
txso | Texas Southern | Texas So., +Tigers
txst | Texas State | +Bobcats
ttu | Texas Tech | +Red Raiders
tol | Toledo | +Rockets
tows | Towson | +Tigers
troy | Troy | +Trojans
tuln | Tulane | +Green Wave
tlsa | Tulsa | +Golden Hurricane | TLS
uab | UAB | Alabama-Birmingham, Alabama Birmingham, +Blazers
ucd | UC Davis | California-Davis, +Aggies
uci | UC Irvine | California-Irvine, +Anteaters
ucrv | UC Riverside | California-Riverside, +Highlanders | UCR
ucsd | UC San Diego | California-San Diego, +Tritons
ucsb | UC Santa Barbara | UCSB, California-Santa Barbara, Santa Barbara, +Gauchos
ucf | UCF | Central Florida, +Knights
ucla | UCLA | +Bruins
massl | UMass Lowell | Massachusetts-Lowell, Massachusetts Lowell, Mass.-Lowell, +River Hawks | UML
umbc | UMBC | Maryland-Baltimore County, +Retrievers
unca | UNC Asheville | UNC-Asheville, North Carolina-Asheville, +Bulldogs
uncg | UNC Greensboro | UNC-Greensboro, UNCG, North Carolina-Greensboro, +Spartans
uncw | UNC Wilmington | UNC-Wilmington, UNCW, North Carolina-Wilmington, +Seahawks
unlv | UNLV | Nevada-Las Vegas, +Rebels, +Runnin' Rebels, +Lady Rebels
usc | USC | Southern California, Southern Cal, +Trojans
uta | UT Arlington | UT-Arlington, Texas-Arlington, Texas Arlington, UTA, +Mavericks
utrgv | UT Rio Grande Valley | UTRGV, UT Rio Grande, Rio Grande Valley, UT-Rio Grande Valley, Texas-Rio Grande Valley, Texas Rio Grande Valley, +Vaqueros
utah | Utah | +Utes
usu | Utah State | +Aggies
utu | Utah Tech | Dixie State, +Trailblazers
uvu | Utah Valley | Utah Valley State, +Wolverines
utep | UTEP | Texas-El Paso, Texas El Paso, UT El Paso, +Miners
utsa | UTSA | UT San Antonio, Texas-San Antonio, Texas San Antonio, +Roadrunners
valp | Valparaiso | Valpo, +Beacons
vand | Vanderbilt | +Commodores | VAN
vcu | VCU | Virginia Commonwealth, +Rams
uvm | Vermont | +Catamounts
nova | Villanova | +Wildcats | VILL
uva | Virginia | +Cavaliers
vmi | VMI | Virginia Military, Virginia Military Institute, +Keydets
vt | Virginia Tech | +Hokies
wag | Wagner | +Seahawks
wake | Wake Forest | +Demon Deacons
wash | Washington | +Huskies | UW
wsu | Washington State | +Cougars
web | Weber State | +Wildcats
uwga | West Georgia | +Wolves
wvu | West Virginia | +Mountaineers
wcu | Western Carolina | +Catamounts
wiu | Western Illinois | +Leathernecks
wku | Western Kentucky | WKU, +Hilltoppers, +Lady Toppers
wmu | Western Michigan | +Broncos
wich | Wichita State | +Shockers
wm | William & Mary | William and Mary, +Tribe | W&M
win | Winthrop | +Eagles
wis | Wisconsin | +Badgers | WISC
wof | Wofford | +Terriers
wrst | Wright State | +Raiders
wyo | Wyoming | +Cowboys, +Cowgirls
xav | Xavier | +Musketeers
yale | Yale | +Bulldogs
ysu | Youngstown State | +Penguins
`;

export const COLLEGES = new TeamTable(SCHOOLS, { codes: 'hints' });

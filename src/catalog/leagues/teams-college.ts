// The college teams that both venues list most. Facts of the leagues; a school that is not here is merged with nothing.

import { TeamTable } from './team-table.ts';

const SCHOOLS = `
ala | Alabama | Alabama Crimson Tide | BAMA
app | Appalachian State | App State, Appalachian St.
ariz | Arizona | Arizona Wildcats | ARIZ
asu | Arizona State | Arizona St., Arizona State Sun Devils
ark | Arkansas | Arkansas Razorbacks
army | Army | Army Black Knights
aub | Auburn | Auburn Tigers
bay | Baylor | Baylor Bears
bois | Boise State | Boise St., Boise State Broncos | BSU
bc | Boston College | Boston College Eagles
byu | BYU | Brigham Young, BYU Cougars
cal | California | Cal, California Golden Bears
cin | Cincinnati | Cincinnati Bearcats
clem | Clemson | Clemson Tigers | CLEM
colo | Colorado | Colorado Buffaloes | COLO
conn | Connecticut | UConn, UConn Huskies, Connecticut Huskies | CONN
crei | Creighton | Creighton Bluejays | CREIGH
duke | Duke | Duke Blue Devils
fla | Florida | Florida Gators
fsu | Florida State | Florida St., Florida State Seminoles
uga | Georgia | Georgia Bulldogs
gt | Georgia Tech | Georgia Tech Yellow Jackets
gonz | Gonzaga | Gonzaga Bulldogs | GONZ
hou | Houston | Houston Cougars
ill | Illinois | Illinois Fighting Illini
ind | Indiana | Indiana Hoosiers | IU
iowa | Iowa | Iowa Hawkeyes
isu | Iowa State | Iowa St., Iowa State Cyclones
jmu | James Madison | James Madison Dukes
kan | Kansas | Kansas Jayhawks | KU
ksu | Kansas State | Kansas St., Kansas State Wildcats
uk | Kentucky | Kentucky Wildcats
lou | Louisville | Louisville Cardinals
lsu | LSU | Louisiana State, LSU Tigers
md | Maryland | Maryland Terrapins
mem | Memphis | Memphis Tigers
mia | Miami (FL) | Miami FL, Miami Florida, Miami Hurricanes | MIA
mich | Michigan | Michigan Wolverines | MICH
msu | Michigan State | Michigan St., Michigan State Spartans
minn | Minnesota | Minnesota Golden Gophers
miss | Ole Miss | Mississippi, Ole Miss Rebels
msst | Mississippi State | Mississippi St., Mississippi State Bulldogs
mizz | Missouri | Missouri Tigers | MIZ
navy | Navy | Navy Midshipmen
neb | Nebraska | Nebraska Cornhuskers
unc | North Carolina | North Carolina Tar Heels
ncst | NC State | North Carolina State, North Carolina St., NC State Wolfpack
nw | Northwestern | Northwestern Wildcats
nd | Notre Dame | Notre Dame Fighting Irish
osu | Ohio State | Ohio St., Ohio State Buckeyes
okla | Oklahoma | Oklahoma Sooners | OU
okst | Oklahoma State | Oklahoma St., Oklahoma State Cowboys
ore | Oregon | Oregon Ducks
orst | Oregon State | Oregon St., Oregon State Beavers
psu | Penn State | Penn St., Penn State Nittany Lions
pitt | Pittsburgh | Pitt, Pittsburgh Panthers
pur | Purdue | Purdue Boilermakers
rutg | Rutgers | Rutgers Scarlet Knights
smu | SMU | Southern Methodist, SMU Mustangs
scar | South Carolina | South Carolina Gamecocks
stan | Stanford | Stanford Cardinal
sju | St. John's | St. John's Red Storm
syr | Syracuse | Syracuse Orange
tcu | TCU | Texas Christian, TCU Horned Frogs
tenn | Tennessee | Tennessee Volunteers
tex | Texas | Texas Longhorns
txam | Texas A&M | Texas A&M Aggies | TAMU, TXAM
ttu | Texas Tech | Texas Tech Red Raiders
tuln | Tulane | Tulane Green Wave
ucf | UCF | Central Florida, UCF Knights
ucla | UCLA | UCLA Bruins
usc | USC | Southern California, USC Trojans
utah | Utah | Utah Utes
vand | Vanderbilt | Vanderbilt Commodores | VAN
nova | Villanova | Villanova Wildcats
uva | Virginia | Virginia Cavaliers
vt | Virginia Tech | Virginia Tech Hokies
wake | Wake Forest | Wake Forest Demon Deacons
wash | Washington | Washington Huskies
wsu | Washington State | Washington St., Washington State Cougars
wvu | West Virginia | West Virginia Mountaineers
wis | Wisconsin | Wisconsin Badgers | WISC
`;

export const COLLEGES = new TeamTable(SCHOOLS);

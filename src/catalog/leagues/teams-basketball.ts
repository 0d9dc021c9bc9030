// The clubs of the basketball leagues. Facts of the leagues, with the codes of both venues.

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

// Squads of esports that the venues call by different names. One organisation has a squad in many games, and is one line. Squads without a
// line are known by their own names. A second squad of an organisation (`T1 Academy`, `FURIA fe`) has another name, and is never in the line
// of the first. Facts of the games.

import { TeamTable } from './team-table.ts';

export const SQUADS = new TeamTable(`
100-thieves | 100 Thieves | 100T
1win | 1win | 1WIN Team
aurora-gaming | Aurora Gaming | Aurora
bbl-esports | BBL Esports | BBL
betboom-team | BetBoom Team | BetBoom
bilibili-gaming | Bilibili Gaming | BLG
bnk-fearx | BNK FEARX | FEARX, FearX
cloud9 | Cloud9 | C9, Cloud9 Kia
ctbc-flying-oyster | CTBC Flying Oyster | Flying Oyster
detonation-focusme | DetonatioN FocusMe | DFM
dn-soopers | DN SOOPers | DN Freecs
dplus-kia | Dplus KIA | Dplus, DPlus KIA
drx | DRX | KIWOOM DRX
edward-gaming | EDward Gaming | EDG, Edward Gaming
evil-geniuses | Evil Geniuses
faze-clan | FaZe Clan | FaZe
fnatic | Fnatic | FNC
furia | FURIA | FURIA Esports
g2-esports | G2 Esports | G2
gaimin-gladiators | Gaimin Gladiators
gamerlegion | GamerLegion | Gamer Legion
geng | Gen.G | Gen.G Esports, GenG
hanjin-brion | HANJIN BRION | OKSavingsBank BRION, BRION
hanwha-life-esports | Hanwha Life Esports | HLE, Hanwha Life
invictus-gaming | Invictus Gaming
jd-gaming | JD Gaming | JDG, JDG Esports, Beijing JDG Esports
karmine-corp | Karmine Corp
kru-esports | KRÜ Esports | KRÜ
kt-rolster | KT Rolster
leviatan | LEVIATÁN | Leviatán Esports
lgd-gaming | LGD Gaming | LGD, PSG.LGD
lng-esports | LNG Esports | LNG
mouz | MOUZ | mousesports
movistar-koi | Movistar KOI
natus-vincere | Natus Vincere | NAVI, Na'Vi
nigma-galaxy | Nigma Galaxy
ninjas-in-pyjamas | Ninjas in Pyjamas | NIP
nongshim-redforce | Nongshim RedForce | NS RedForce, Nongshim Red Force
nrg | NRG | NRG Esports
pain-gaming | paiN Gaming | paiN
paper-rex | Paper Rex | PRX
red-canids | RED Canids | RED Canids Kalunga
rex-regum-qeon | Rex Regum Qeon | RRQ
t1 | T1 | T1 Esports
team-falcons | Team Falcons | Falcons
team-heretics | Team Heretics | Heretics
team-liquid | Team Liquid | Liquid
team-secret | Team Secret
team-spirit | Team Spirit | Spirit
team-tidebound | Team Tidebound | Tidebound
team-vitality | Team Vitality | Vitality
team-yandex | Team Yandex | Yandex
the-mongolz | The MongolZ | TheMongolZ, MongolZ
top-esports | Top Esports | TES
tundra-esports | Tundra Esports | Tundra
vici-gaming | Vici Gaming
virtuspro | Virtus.pro | Virtus Pro
vivo-keyd-stars | Vivo Keyd Stars | Keyd Stars
weibo-gaming | Weibo Gaming | Weibo, WBG
xtreme-gaming | Xtreme Gaming
`);

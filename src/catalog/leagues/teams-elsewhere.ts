// The clubs of first leagues in the rest of Europe, in Asia and in Australia. Facts of the leagues, with the venues' forms of their names.

import { TeamTable } from './team-table.ts';

const clubs = (lines: string): TeamTable => new TeamTable(lines, { codes: 'hints', isOfClubs: true });

export const EREDIVISIE = clubs(`
ado | ADO Den Haag | Den Haag
ajx | Ajax | AFC Ajax
alm | Almere City | Almere City FC
az | AZ Alkmaar | AZ
cam | Cambuur | SC Cambuur, Cambuur Leeuwarden
exc | Excelsior | SBV Excelsior, Excelsior Rotterdam
fey | Feyenoord | Feyenoord Rotterdam
for | Fortuna Sittard | Sittard
gae | Go Ahead Eagles | GA Eagles
gro | Groningen | FC Groningen
hee | Heerenveen | SC Heerenveen
her | Heracles | Heracles Almelo
nac | NAC Breda | NAC
nec | NEC Nijmegen | NEC, N.E.C. Nijmegen
zwo | PEC Zwolle | Zwolle
psv | PSV | PSV Eindhoven
spa | Sparta Rotterdam | Sparta
tel | Telstar | SC Telstar, Telstar 1963
twe | Twente | FC Twente, FC Twente '65, Twente Enschede
utr | Utrecht | FC Utrecht
vol | Volendam | FC Volendam
wil | Willem II
`);

export const LIGA_PORTUGAL = clubs(`
alv | Alverca | FC Alverca
aro | Arouca | FC Arouca
avs | AVS | AVS Futebol SAD, AFS, AVS Futebol
avi | Académico de Viseu | Académico Viseu
ben | Benfica | SL Benfica, Sport Lisboa e Benfica
bra | Braga | SC Braga, Sporting Braga, Sporting Clube de Braga
cap | Casa Pia | Casa Pia AC
est | Estoril | Estoril Praia, GD Estoril Praia
amd | Estrela Amadora | Estrela da Amadora, CF Estrela da Amadora, CF Estrela Amadora
fam | Famalicão | FC Famalicão
gil | Gil Vicente | Gil Vicente FC
mar | Marítimo | CS Marítimo
mor | Moreirense | Moreirense FC
nac | Nacional | CD Nacional, Nacional Madeira, CD Nacional Madeira
por | Porto | FC Porto
rav | Rio Ave | Rio Ave FC
san | Santa Clara | CD Santa Clara
spo | Sporting CP | Sporting, Sporting Lisbon, Sporting Clube de Portugal
ton | Tondela | CD Tondela
tor | Torreense | SCU Torreense
vit | Vitória Guimarães | Guimarães, Vitória SC, Vitória de Guimarães, Vitória
`);

export const SUPER_LIG = clubs(`
ala | Alanyaspor | Corendon Alanyaspor
ame | Amedspor | Amed SK, Amed Sportif Faaliyetler
ant | Antalyaspor
bas | Başakşehir | İstanbul Başakşehir, Istanbul Basaksehir, Basaksehir, İstanbul Başakşehir FK, Rams Başakşehir
bes | Beşiktaş | Besiktas JK, Beşiktaş JK
cor | Çorum | Çorum FK, Arca Çorum
erz | Erzurumspor | Erzurumspor FK
eyu | Eyüpspor
kar | Fatih Karagümrük | Karagümrük, Fatih Karagümrük SK
fen | Fenerbahçe | Fenerbahçe SK
gal | Galatasaray | Galatasaray SK
gaz | Gaziantep | Gaziantep FK
gen | Gençlerbirliği | Gençlerbirliği SK
goz | Göztepe | Göztepe SK
kas | Kasımpaşa | Kasımpaşa SK
kay | Kayserispor
koc | Kocaelispor
kon | Konyaspor | Tümosan Konyaspor
riz | Rizespor | Çaykur Rizespor
sam | Samsunspor
tra | Trabzonspor
`);

export const ELITESERIEN = clubs(`
aal | Aalesund | Aalesunds FK, Aalesunds
bod | Bodø/Glimt | FK Bodø/Glimt, Bodo Glimt
bra | Brann | SK Brann
bry | Bryne | Bryne FK
fre | Fredrikstad | Fredrikstad FK
ham | HamKam | Hamarkameratene, Ham-Kam
hau | Haugesund | FK Haugesund
kfum | KFUM Oslo | KFUM, KFUM-Kameratene Oslo
kri | Kristiansund | Kristiansund BK
lil | Lillestrøm | Lillestrøm SK
mol | Molde | Molde FK
ros | Rosenborg | Rosenborg BK
san | Sandefjord | Sandefjord Fotball
sar | Sarpsborg | Sarpsborg 08, Sarpsborg 08 FF
sta | Start | IK Start
str | Strømsgodset | Strømsgodset IF
tro | Tromsø | Tromsø IL
val | Vålerenga | Vålerenga Fotball, Vålerenga IF
vik | Viking | Viking FK
`);

export const SUPERLIGA = clubs(`
agf | AGF Aarhus | AGF, Aarhus, Aarhus GF
aab | Aalborg | AaB, AaB Aalborg, Aalborg BK
bif | Brøndby | Brøndby IF
fcf | Fredericia | FC Fredericia
fck | Copenhagen | FC Copenhagen, FC København, København
hor | Horsens | AC Horsens
lyn | Lyngby | Lyngby BK, Lyngby Boldklub
fcm | Midtjylland | FC Midtjylland
fcn | Nordsjælland | FC Nordsjælland
ob | Odense | OB, OB Odense, Odense Boldklub
ran | Randers | Randers FC
sil | Silkeborg | Silkeborg IF
son | Sønderjyske | Sønderjyske Fodbold, SønderjyskE
vej | Vejle | Vejle BK, Vejle Boldklub
vib | Viborg | Viborg FF
`);

export const BELGIUM = clubs(`
and | Anderlecht | RSC Anderlecht
ant | Antwerp | Royal Antwerp, Royal Antwerp FC
bev | Beveren | SK Beveren
cer | Cercle Brugge | Cercle Brugge KSV, Cercle
cha | Charleroi | RSC Charleroi, Royal Charleroi SC, Sporting Charleroi
bru | Club Brugge | Club Brugge KV, Club Bruges
den | Dender | FCV Dender EH, FCV Dender
gnk | Genk | KRC Genk
gen | Gent | KAA Gent
kor | Kortrijk | KV Kortrijk
lou | La Louvière | RAAL La Louvière
lom | Lommel | Lommel SK
leu | OH Leuven | Leuven, Oud-Heverlee Leuven
mec | Mechelen | KV Mechelen, Yellow-Red KV Mechelen
stv | Sint-Truiden | St. Truiden, Sint-Truidense VV, STVV
sta | Standard Liège | Standard, Standard de Liège, Royal Standard de Liège
usg | Union Saint-Gilloise | Union SG, Royale Union Saint-Gilloise, Union St. Gilloise, Union Gilloise
wes | Westerlo | KVC Westerlo
zul | Zulte Waregem | SV Zulte Waregem
`);

export const CZECHIA = clubs(`
boh | Bohemians 1905 | Bohemians, Bohemians Praha 1905
brn | Zbrojovka Brno | Brno, FC Zbrojovka Brno
duk | Dukla Praha | Dukla, Dukla Prague, FK Dukla Praha
hra | Hradec Králové | FC Hradec Králové
jab | Jablonec | FK Jablonec
kar | Karviná | MFK Karviná
lib | Slovan Liberec | Liberec, FC Slovan Liberec
mla | Mladá Boleslav | FK Mladá Boleslav
olo | Sigma Olomouc | Olomouc, SK Sigma Olomouc
ost | Baník Ostrava | Ostrava, FC Baník Ostrava
par | Pardubice | FK Pardubice
plz | Viktoria Plzeň | Plzeň, FC Viktoria Plzeň
sla | Slavia Praha | Slavia Prague, SK Slavia Praha
slo | Slovácko | 1. FC Slovácko
spa | Sparta Praha | Sparta Prague, AC Sparta Praha
tep | Teplice | FK Teplice
zli | Zlín | FC Zlín
`);

export const SAUDI = clubs(`
ahl | Al-Ahli | Al Ahli Saudi FC, Al-Ahli Saudi, Al Ahli Jeddah, Al-Ahli SFC
dir | Al-Diriyah | Al Diriyah Club
ett | Al-Ettifaq | Al Ettifaq Club, Al-Ettifaq FC, Al-Ittifaq
fai | Al-Faisaly
fat | Al-Fateh | Al Fateh SC, Al Fateh Saudi Club
fay | Al-Fayha | Al Fayha Saudi Club, Al-Feiha, Al Fayha FC
haz | Al-Hazem | Al Hazem Saudi Club, Al-Hazm
hil | Al-Hilal | Al Hilal Saudi Club, Al-Hilal SFC, Al Hilal Saudi FC
itt | Al-Ittihad | Al Ittihad Saudi Club, Al-Ittihad Jeddah, Al Ittihad Club
kha | Al-Khaleej | Al Khaleej Saudi Club, Al-Khaleej FC
khl | Al-Kholood | Al Kholood Saudi Club, Al-Kholood Club
naj | Al-Najma | Al Najma Saudi Club, Al-Najmah
nas | Al-Nassr | Al Nassr Saudi Club, Al-Nassr FC
okh | Al-Okhdood | Al Okhdood Saudi Club, Al-Akhdoud
qad | Al-Qadsiah | Al Qadisiyah Saudi Club, Al-Qadisiyah, Al Qadsiah Saudi Club
riy | Al-Riyadh | Al Riyadh Saudi Club, Al-Riyadh SC
sha | Al-Shabab | Al Shabab Saudi Club, Al-Shabab FC
taa | Al-Taawoun | Al Taawoun Saudi Club, Al-Taawon, Al Taawon FC
abh | Abha | Abha Saudi Club
dam | Damac | Damac Saudi Club, Dhamk, Damac FC
neo | Neom | Al Suqoor, Neom SC, NEOM Sports Club, Neom Saudi Club
`);

export const A_LEAGUE = clubs(`
ade | Adelaide United | Adelaide
auc | Auckland FC | Auckland
bri | Brisbane Roar | Brisbane
ccm | Central Coast Mariners | Central Coast
mac | Macarthur FC | Macarthur
mct | Melbourne City | Melbourne
mvc | Melbourne Victory | Melbourne
new | Newcastle Jets | Newcastle, Newcastle United Jets
per | Perth Glory | Perth
syd | Sydney FC | Sydney
wel | Wellington Phoenix | Wellington
wsw | Western Sydney Wanderers | Western Sydney
wun | Western United
`);

export const K_LEAGUE = clubs(`
any | Anyang | FC Anyang
buc | Bucheon 1995 | Bucheon, Bucheon FC 1995
dae | Daejeon | Daejeon Hana Citizen, Daejeon Hana, Daejeon Citizen
dgu | Daegu | Daegu FC
gan | Gangwon | Gangwon FC
gim | Gimcheon Sangmu | Gimcheon, Sangmu
gwa | Gwangju | Gwangju FC
inc | Incheon United | Incheon
jej | Jeju | Jeju SK, Jeju United
jeo | Jeonbuk | Jeonbuk Hyundai Motors, Jeonbuk Motors, Jeonbuk Hyundai
poh | Pohang Steelers | Pohang
seo | Seoul | FC Seoul
suw | Suwon FC | Suwon
sub | Suwon Samsung Bluewings | Suwon Bluewings, Suwon
uls | Ulsan | Ulsan HD, Ulsan Hyundai
`);

export const J_LEAGUE = clubs(`
alb | Albirex Niigata | Niigata, Albirex
avi | Avispa Fukuoka | Fukuoka, Avispa
cer | Cerezo Osaka | Cerezo, C Osaka, Osaka C
fag | Fagiano Okayama | Okayama, Fagiano
tok | FC Tokyo | Tokyo, FC Tōkyō
gam | Gamba Osaka | Gamba, G Osaka, Osaka G
jef | JEF United Chiba | JEF United, Chiba, JEF United Ichihara Chiba, JEF Chiba
kas | Kashima Antlers | Kashima, Antlers
rey | Kashiwa Reysol | Kashiwa, Reysol
kaw | Kawasaki Frontale | Kawasaki, Frontale
kyo | Kyoto Sanga | Kyoto, Sanga, Kyōto Sanga FC, Kyoto Sanga FC
mac | Machida Zelvia | Machida, Zelvia, FC Machida Zelvia
mit | Mito HollyHock | Mito, Hollyhock
nag | Nagoya Grampus | Nagoya, Grampus
hir | Sanfrecce Hiroshima | Hiroshima, Sanfrecce
shi | Shimizu S-Pulse | Shimizu, S-Pulse
sho | Shonan Bellmare | Shonan, Bellmare
ver | Tokyo Verdy | Tōkyō Verdy, Verdy, Tokyo V, Tokyo Verdy 1969
ura | Urawa Red Diamonds | Urawa, Urawa Reds, Reds
vva | V-Varen Nagasaki | Nagasaki, V-Varen
vis | Vissel Kobe | Kobe, Vissel, Vissel Kōbe
yfm | Yokohama F. Marinos | Yokohama, F. Marinos, Yokohama Marinos, Marinos, Yokohama M
yfc | Yokohama FC | Yokohama
`);

export const CHINA = clubs(`
bei | Beijing Guoan | Beijing, Beijing Guoan FC
cha | Changchun Yatai | Changchun
che | Chengdu Rongcheng | Chengdu
cho | Chongqing Tonglianglong | Chongqing, Chongqing Tongliang Long
dal | Dalian Yingbo | Dalian, Dalian Yingbo FC
hen | Henan | Henan FC, Henan Songshan Longmen
lia | Liaoning Tieren | Liaoning
mei | Meizhou Hakka | Meizhou
qdh | Qingdao Hainiu | Qingdao
qdw | Qingdao West Coast | Qingdao
sha | Shandong Taishan | Shandong
shp | Shanghai Port | Shanghai, SIPG
shs | Shanghai Shenhua | Shanghai, Shenhua
szp | Shenzhen Peng City | Shenzhen, Shenzhen Xinpengcheng
tia | Tianjin Jinmen Tiger | Tianjin
wuh | Wuhan Three Towns | Wuhan
yun | Yunnan Yukun | Yunnan
zhe | Zhejiang | Zhejiang FC, Zhejiang Professional
`);

// Found on real listings: the ticker of Learner Tien ends with `-TIE`, like that of a draw: `KXATPMATCH-26MAY10TIEBUB-TIE`. His market
// counted as a draw, which tennis does not have. A market's label says what it is; the end of its ticker does not.

import { expect, it } from 'vitest';
import { build, marketOf, routes } from '../catalog/matching/catalogs.ts';
import { atVenueA, atVenueB, type Listed, ofVenueA } from '../catalog/matching/listings.ts';

const MATCH: Listed = { league: 'ATP', date: '2026-05-10', startsAt: '2026-05-10T12:00:00Z' };

it('the player’s market is his, and no draw', () => {
  const catalog = build(
    atVenueA(MATCH, 'tien-bublik', 'Italian Open: Learner Tien vs Alexander Bublik'),
    atVenueB(MATCH, 'TIEBUB', 'Tien vs Bublik', { TIE: 'Learner Tien', BUB: 'Alexander Bublik' }),
  );
  expect(routes(marketOf(catalog, 'atp-learner-tien-alexander-bublik-2026-05-10:moneyline'))).toEqual([
    'Learner Tien: A, TIE YES, BUB NO',
    'Alexander Bublik: A, BUB YES, TIE NO',
  ]);
});

it('a draw is one by what its market says, and only where there are draws', () => {
  const nfl: Listed = { league: 'NFL', date: '2026-11-22', startsAt: '2026-11-22T18:00:00Z' };
  const tied = build(atVenueB(nfl, 'DALNYG', 'Dallas at New York G', { DAL: 'Dallas', NYG: 'New York G', TIE: 'Tie' }));
  expect(tied.markets.map(({ id }) => id)).toEqual([
    'nfl-dal-nyg-2026-11-22:moneyline',
    'venue_b:KXNFLGAME-26NOV22DALNYG-TIE',
  ]);
  const epl: Listed = { league: 'EPL', date: '2026-11-21', startsAt: '2026-11-21T15:00:00Z' };
  const one = (label: string) => ({ ...ofVenueA(`Will ${label} win?`, 'moneyline', ['Yes', 'No']), label });
  for (const [code, label] of [
    ['TIE', 'Tie'],
    ['TIE', ''],
    ['DRAW', 'Draw'],
    ['X', 'Tie is the result'],
  ] as const) {
    const drawn = build(
      atVenueA(epl, 'ars-che', 'Arsenal FC vs. Chelsea FC', { markets: [one('Arsenal FC'), one('Draw')] }),
      atVenueB(epl, 'ARSCFC', 'Arsenal vs Chelsea', { ARS: 'Arsenal', [code]: label }),
    );
    expect(routes(marketOf(drawn, 'epl-ars-che-2026-11-21:three-way'))).toContain(`Draw: A, ${code} YES`);
  }
});

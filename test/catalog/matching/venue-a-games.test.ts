// Venue A's events of the same game are read together.

import { expect, it } from 'vitest';
import { build, ids, lakersA, lakersB, merged, NBA } from './catalogs.ts';
import { atVenueA } from './listings.ts';

it.each(['more-markets', 'total-corners', 'second-half-result', 'first-half-exact-score', 'player-props'])(
  '4015: an event with more markets of a game is no second game of that day, also without a game id: %s',
  end => {
    const event = lakersA();
    const more = {
      ...atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', { markets: [] }),
      subTitle: `${event.subTitle}-${end}`,
    };
    const catalog = build(event, more, lakersB());
    expect(ids(catalog)).toHaveLength(1);
    expect(merged(catalog)).toEqual(['nba-bos-lal-2026-11-20']);
  },
);

it('4015: an event with a number behind the day is the second game of that day', () => {
  const event = lakersA();
  const second = {
    ...atVenueA(NBA, 'bos-lal', 'Celtics vs. Lakers', { gameId: '2' }),
    subTitle: `${event.subTitle}-2`,
  };
  expect(ids(build(event, second))).toHaveLength(2);
});

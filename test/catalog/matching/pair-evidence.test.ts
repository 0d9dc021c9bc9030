// Two listings of players are one match if players and time agree. The listed day may differ by one, and the spelling may differ, too.

import { describe, expect, it } from 'vitest';
import type { VenueEvent } from '../../../src/venues/discovery.ts';
import { build, ids, merged } from './catalogs.ts';
import { atVenueA, atVenueB, type Listed } from './listings.ts';

const MATCH: Listed = { league: 'ATP', date: '2026-07-06', startsAt: '2026-07-06T23:30:00Z' };

function pair(
  [one, another]: readonly [string, string],
  [hisName, herName]: readonly [string, string],
  listedAtB: { readonly date?: string; readonly startsAt?: string | null } = {},
): readonly VenueEvent[] {
  const { date = MATCH.date, startsAt = MATCH.startsAt } = listedAtB;
  const b = atVenueB({ ...MATCH, date }, 'XXXYYY', `${hisName} vs ${herName}`, { XXX: hisName, YYY: herName });
  return [
    atVenueA(MATCH, 'x-y', `Gstaad: ${one} vs ${another}`, { outcomes: [one, another] }),
    { ...b, startsAt: startsAt === null ? null : (Date.parse(startsAt) as NonNullable<VenueEvent['startsAt']>) },
  ];
}

const PLAYERS = ['Holger Rune', 'Taylor Fritz'] as const;

describe('a match of tennis', () => {
  it('4019: is one where the venues list it for two days with one start', () => {
    const [a, b] = pair(PLAYERS, PLAYERS, { date: '2026-07-07' });
    expect(merged(build(a!, b!))).toHaveLength(1);
    const [c, d] = pair(PLAYERS, PLAYERS, { date: '2026-07-05', startsAt: '2026-07-07T00:30:00Z' });
    expect(merged(build(c!, d!))).toHaveLength(1);
  });

  it.each([
    ['no start at venue B', { date: '2026-07-07', startsAt: null }],
    ['another start', { date: '2026-07-07', startsAt: '2026-07-07T02:00:00Z' }],
    ['two days between them', { date: '2026-07-08' }],
  ])('4019: is not one with %s', (_what, listed) => {
    const catalog = build(...pair(PLAYERS, PLAYERS, listed));
    expect(merged(catalog)).toEqual([]);
    expect(ids(catalog)).toHaveLength(2);
  });

  it('4019: is the one that starts then, of two on neighbouring days', () => {
    const [a, b] = pair(PLAYERS, PLAYERS, { date: '2026-07-07' });
    const later = atVenueA(
      { ...MATCH, date: '2026-07-07', startsAt: '2026-07-07T23:30:00Z' },
      'x-y',
      `Gstaad: ${PLAYERS.join(' vs ')}`,
      { outcomes: PLAYERS },
    );
    const catalog = build(a!, b!, later);
    expect(merged(catalog)).toEqual(['atp-holger-rune-taylor-fritz-2026-07-06']);
    expect(ids(catalog)).toHaveLength(2);
  });

  it.each([
    ['Elmer Moeller', 'Elmer Møller'],
    ['Elmer Moller', 'Elmer Moeller'],
    ['Elmer Möller', 'Elmer Møller'],
    ['Marko Djokovic', 'Marko Đoković'],
    ['Kaarle Aagaard', 'Kaarle Ågaard'],
  ])('4019: is one in each transcription of a name: %s, %s', (one, another) => {
    expect(merged(build(...pair([one, 'Taylor Fritz'], [another, 'Taylor Fritz'])))).toHaveLength(1);
    expect(
      merged(build(...pair([one, 'Taylor Fritz'], [another, 'Taylor Fritz'], { date: '2026-07-07' }))),
    ).toHaveLength(1);
    expect(merged(build(...pair([one, 'Jan Müller'], [another, 'Jan Mueller'])))).toHaveLength(1);
  });

  it.each([
    ['Daniel Merida', 'Daniel Merida Aguilar'],
    ['Elmer Moeller', 'Elmer Kofoed Møller'],
    ['Juan Pablo Varillas', 'Juan Varillas'],
  ])('4019: is one with a middle or a second family name more, also on another day: %s, %s', (one, another) => {
    expect(
      merged(build(...pair([one, 'Taylor Fritz'], [another, 'Taylor Fritz'], { date: '2026-07-07' }))),
    ).toHaveLength(1);
  });

  it('4019: is not one of two players whose names only look alike', () => {
    expect(merged(build(...pair(['Elmer Moeller', 'Taylor Fritz'], ['Elmar Moller', 'Taylor Fritz'])))).toEqual([]);
    expect(merged(build(...pair(['Elmer Moeller', 'Taylor Fritz'], ['Elmer Miller', 'Taylor Fritz'])))).toEqual([]);
  });
});

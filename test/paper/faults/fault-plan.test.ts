// The plan of faults: the requests and messages that a rule strikes, how often and for how long. The same seed gives the same faults. Also the
// journal of faults.

import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { FaultPlan } from '../../../src/paper/faults/fault-plan.ts';
import { type FaultRule, type FaultSubject, skewedTimers } from '../../../src/paper/faults/faults.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const LOST = { kind: 'lost', isApplied: true } as const;
const ALWAYS: FaultRule = {
  venue: null,
  key: null,
  operation: null,
  fault: LOST,
  probability: 1,
  countMax: null,
  lastsMs: null,
};
const ORDER: FaultSubject = { venue: 'venue_a', key: 'key-1', operation: 'POST /order' };

describe('a rule', () => {
  const rows: [what: string, rule: Partial<FaultRule>, asked: Partial<FaultSubject>, strikes: boolean][] = [
    ['strikes everybody', {}, {}, true],
    ['strikes its venue', { venue: 'venue_a' }, {}, true],
    ['strikes no other venue', { venue: 'venue_b' }, {}, false],
    ['strikes its key', { key: 'key-1' }, {}, true],
    ['strikes no other key', { key: 'key-2' }, {}, false],
    ['strikes who has no key', { key: '' }, { key: '' }, true],
    ['of nobody strikes no key', { key: '' }, {}, false],
    ['strikes its operation', { operation: 'POST /order' }, {}, true],
    ['strikes no longer operation', { operation: 'POST /order' }, { operation: 'POST /orders' }, false],
    ['strikes what begins so', { operation: 'POST /*' }, {}, true],
    ['strikes what is the beginning itself', { operation: 'POST /order*' }, {}, true],
    ['strikes nothing that begins otherwise', { operation: 'DELETE*' }, {}, false],
    ['strikes everything', { operation: '*' }, {}, true],
    ['takes a star elsewhere for itself', { operation: 'POST *r' }, {}, false],
    ['never strikes without a chance', { probability: 0 }, {}, false],
  ];
  it.each(rows)('%s', (_what, rule, asked, strikes) => {
    const plan = newPlan();
    plan.add({ ...ALWAYS, ...rule });
    expect(plan.ofRequest({ ...ORDER, ...asked })).toEqual(strikes ? LOST : null);
    expect(plan.ofMessage({ ...ORDER, ...asked })).toBeNull();
    expect(plan.ofSettlement('venue_a')).toBeNull();
  });

  it('strikes a number of times', () => {
    const plan = newPlan();
    plan.add({ ...ALWAYS, countMax: 2 });
    expect(Array.from({ length: 4 }, () => plan.ofRequest(ORDER) !== null)).toEqual([true, true, false, false]);
  });

  it('strikes for so long', () => {
    const timers = new VirtualTimers();
    const plan = new FaultPlan({ seed: 1, timers });
    const added = plan.add({ ...ALWAYS, fault: { kind: 'rate-limited' }, lastsMs: 500 });
    timers.advance(499);
    expect(plan.ofRequest(ORDER)).toEqual({ kind: 'rate-limited' });
    timers.advance(1);
    expect(plan.ofRequest(ORDER)).toBeNull();
    expect(added.ok && plan.isSpent(added.value)).toBe(true);
  });

  it('that was made first strikes first; one that is spent or misses leaves it to the next', () => {
    const plan = newPlan();
    plan.add({ ...ALWAYS, fault: { kind: 'status', status: 500, isApplied: false }, countMax: 1 });
    plan.add({ ...ALWAYS, fault: { kind: 'status', status: 501, isApplied: false }, probability: 0 });
    plan.add({ ...ALWAYS, fault: { kind: 'status', status: 502, isApplied: false }, key: 'key-1' });
    plan.add({ ...ALWAYS, fault: { kind: 'status', status: 503, isApplied: false } });
    const status = (key: string) => plan.ofRequest({ ...ORDER, key });
    expect([status('key-2'), status('key-1'), status('key-2')]).toMatchObject([
      { status: 500 },
      { status: 502 },
      { status: 503 },
    ]);
  });

  it('strikes where its kind belongs', () => {
    for (const kind of ['drop', 'duplicate', 'swap', 'disconnect'] as const) {
      const plan = newPlan();
      plan.add({ ...ALWAYS, fault: { kind }, operation: 'fill' });
      expect(plan.ofRequest({ ...ORDER, operation: 'fill' })).toBeNull();
      expect(plan.ofMessage({ ...ORDER, operation: 'fill' })).toBe(kind);
      expect(plan.ofMessage({ ...ORDER, operation: 'order' })).toBeNull();
    }
    for (const [kind, outcome] of [
      ['settlement-fails', 'fails'],
      ['settlement-retries', 'retries'],
    ] as const) {
      const plan = newPlan();
      plan.add({ ...ALWAYS, fault: { kind }, venue: 'venue_a', countMax: 1 });
      expect([plan.ofSettlement('venue_b'), plan.ofSettlement('venue_a'), plan.ofSettlement('venue_a')]).toEqual([
        null,
        outcome,
        null,
      ]);
    }
  });

  it('is taken away', () => {
    const plan = newPlan();
    const [first, second] = [plan.add(ALWAYS), plan.add({ ...ALWAYS, fault: { kind: 'drop' } })];
    if (!first.ok || !second.ok) throw new Error('no rule was made');
    expect(plan.remove(first.value.id)).toBe(true);
    expect(plan.remove(first.value.id)).toBe(false);
    expect(plan.ofRequest(ORDER)).toBeNull();
    expect(plan.ofMessage(ORDER)).toBe('drop');
    expect(plan.clear()).toBe(1);
    expect(plan.ofMessage(ORDER)).toBeNull();
    expect([...plan.rules]).toEqual([]);
  });

  it('is refused when there are too many, unless one is spent', () => {
    const plan = newPlan();
    plan.add({ ...ALWAYS, countMax: 1 });
    for (let made = 1; made < limits.paperFaultRulesMax; made += 1) plan.add({ ...ALWAYS, venue: 'venue_b' });
    expect(plan.add(ALWAYS)).toMatchObject({ ok: false, error: expect.stringContaining('paperFaultRulesMax') });
    plan.ofRequest(ORDER);
    expect(plan.add(ALWAYS)).toMatchObject({ ok: true, value: { id: limits.paperFaultRulesMax + 1 } });
    expect([...plan.rules].length).toBe(limits.paperFaultRulesMax);
  });
});

describe('the same seed', () => {
  const half: FaultRule = { ...ALWAYS, venue: 'venue_a', probability: 0.5 };
  const draws = (plan: FaultPlan, count = 64) =>
    Array.from({ length: count }, () => (plan.ofRequest(ORDER) === null ? '.' : 'x')).join('');

  it('strikes the same requests; another seed does not', () => {
    const [once, twice, other] = [newPlan(7), newPlan(7), newPlan(8)];
    for (const plan of [once, twice, other]) plan.add(half);
    const sequence = draws(once);
    expect(sequence).toMatch(/x/);
    expect(sequence).toMatch(/\./);
    expect(draws(twice)).toBe(sequence);
    expect(draws(other)).not.toBe(sequence);
  });

  it('strikes them beside requests for other rules', () => {
    const [quiet, busy] = [newPlan(7), newPlan(7)];
    for (const plan of [quiet, busy]) {
      plan.add(half);
      plan.add({ ...half, venue: 'venue_b' });
    }
    const sequence = draws(quiet);
    const beside = Array.from({ length: 64 }, () => {
      busy.ofRequest({ ...ORDER, venue: 'venue_b' });
      return draws(busy, 1);
    });
    expect(beside.join('')).toBe(sequence);
  });

  it('gives two rules draws of their own', () => {
    const plan = newPlan(7);
    plan.add({ ...half, key: 'key-1' });
    plan.add({ ...half, key: 'key-2' });
    const of = (key: string) => Array.from({ length: 64 }, () => plan.ofRequest({ ...ORDER, key }) !== null);
    expect(of('key-1')).not.toEqual(of('key-2'));
  });

  it('set again starts every draw over', () => {
    const plan = newPlan(7);
    plan.add(half);
    const sequence = draws(plan);
    plan.seed = 7;
    expect(draws(plan)).toBe(sequence);
  });
});

describe('the journal', () => {
  it('tells what happened, newest first, as far back as it goes', () => {
    const timers = new VirtualTimers(1_000);
    const plan = new FaultPlan({ seed: 1, timers });
    plan.add({ ...ALWAYS, operation: 'POST*' });
    plan.add({ ...ALWAYS, fault: { kind: 'drop' } });
    plan.ofRequest({ ...ORDER, operation: 'GET /ok' });
    plan.ofRequest(ORDER);
    timers.advance(5);
    plan.ofMessage({ ...ORDER, operation: 'trade' });
    expect([...plan.journal.newestFirst()]).toEqual([
      { number: 2, at: 1_005, rule: 2, kind: 'drop', venue: 'venue_a', key: 'key-1', operation: 'trade' },
      { number: 1, at: 1_000, rule: 1, kind: 'lost', venue: 'venue_a', key: 'key-1', operation: 'POST /order' },
    ]);
    const more = limits.paperFaultJournalMax + 5;
    for (let asked = 0; asked < more; asked += 1) plan.ofRequest(ORDER);
    const kept = [...plan.journal.newestFirst()].map(entry => entry.number);
    expect(kept).toEqual(Array.from({ length: limits.paperFaultJournalMax }, (_, index) => more + 2 - index));
    expect(Object.fromEntries(plan.journal.counts)).toEqual({ lost: more + 1, drop: 1 });
    expect([...plan.rules].map(({ draws, hits }) => [draws, hits])).toEqual([
      [more + 1, more + 1],
      [1, 1],
    ]);
  });
});

describe('conditions', () => {
  it('are none at first, hold for their venue, and end', () => {
    const plan = newPlan();
    const conditions = () =>
      (['venue_a', 'venue_b'] as const).map(venue => [
        plan.skewMs(venue),
        plan.staleMs({ venue, key: 'key-1' }),
        plan.settlementDelayMs(venue),
      ]);
    const fair = [
      [0, 0, null],
      [0, 0, null],
    ];
    expect(conditions()).toEqual(fair);
    plan.setSkewMs('venue_b', -3_000);
    plan.setStaleMs('venue_b', 250);
    plan.setSettlementDelayMs('venue_a', 60_000);
    expect(conditions()).toEqual([
      [0, 0, 60_000],
      [-3_000, 250, null],
    ]);
    plan.resetConditions();
    expect(conditions()).toEqual(fair);
  });

  it('of one key stand before those of its venue', () => {
    const plan = newPlan();
    const staleMs = (key: string) => plan.staleMs({ venue: 'venue_b', key });
    plan.setStaleMs('venue_b', 100);
    plan.setStaleMsOfKey('venue_b', 'key-1', 0);
    expect([staleMs('key-1'), staleMs('key-2')]).toEqual([0, 100]);
    plan.setStaleMsOfKey('venue_b', 'key-1', null);
    expect(staleMs('key-1')).toBe(100);
    const results = Array.from({ length: limits.paperStaleKeysMax + 1 }, (_, index) =>
      plan.setStaleMsOfKey('venue_b', `key-${index}`, 5),
    );
    expect(results.indexOf(false)).toBe(limits.paperStaleKeysMax);
    expect(plan.setStaleMsOfKey('venue_b', 'key-0', 6)).toBe(true);
  });

  it('skew the clock of one venue, not what waits for it', () => {
    const timers = new VirtualTimers(10_000);
    const plan = new FaultPlan({ seed: 1, timers });
    const [venueA, venueB] = [skewedTimers(timers, plan, 'venue_a'), skewedTimers(timers, plan, 'venue_b')];
    plan.setSkewMs('venue_a', -4_000);
    expect([venueA.now(), venueB.now()]).toEqual([6_000, 10_000]);
    let isDue = false;
    const cancel = venueA.after(5, () => {
      isDue = true;
    });
    timers.advance(5);
    expect(isDue).toBe(true);
    cancel();
  });
});

function newPlan(seed = 1): FaultPlan {
  return new FaultPlan({ seed, timers: new VirtualTimers() });
}

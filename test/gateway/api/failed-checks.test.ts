// Which failures count together, what a success proves and for how long, which caller's proof makes room, and the bound on remembered
// callers. The tests run in virtual time, and against a naive twin.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Claimant, FailedChecks } from '../../../src/gateway/api/failed-checks.ts';
import { limits } from '../../../src/limits.ts';
import { NaiveFailedChecks } from './naive-failed-checks.ts';

const LIMIT = { perS: 1, burstMax: 3 };

const caller = (keyId: string, address = '10.0.0.1'): Claimant => new Claimant(address, keyId, false);
const cancelOf = ({ prefix, keyId }: Claimant): Claimant => new Claimant(prefix, keyId, true);

function fail(checks: FailedChecks, it: Claimant, times: number, nowMs = 0): void {
  for (let failure = 0; failure < times; failure++) checks.countFailure(it, nowMs);
}

describe('requests that are refused before any check', () => {
  it('have a limit of their address', () => {
    const checks = new FailedChecks(LIMIT);
    const taken = Array.from({ length: 4 }, () => checks.countRefused('10.0.0.1', 0));
    expect(taken).toEqual([true, true, true, false]);
    expect(checks.countRefused('10.0.0.2', 0)).toBe(true);
    expect(checks.addressRetryAfter('10.0.0.1', 0)).toEqual(['Retry-After', '1']);
    expect(checks.countRefused('10.0.0.1', 1_000)).toBe(true);
  });

  it('never count against a key, proven or not', () => {
    const checks = new FailedChecks(LIMIT);
    checks.countSuccess(caller('proven'), 0);
    for (let second = 0; second < 60; second++) {
      for (let request = 0; request < 70; request++) checks.countRefused('10.0.0.1', second * 1_000);
      const admitted = ['proven', 'new'].map(keyId => checks.admits(caller(keyId), second * 1_000));
      expect(admitted).toEqual([true, true]);
    }
  });

  it.each([
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', false],
    ['2001:db8::1', '2001:db8:0:0:8::', false],
    ['2001:db8:0:1::1', '2001:db8:0:2::1', true],
    ['::1', '::2', false],
  ])('%s speaks for its /64: %s gets the reason: %s', (address, other, hasReason) => {
    const checks = new FailedChecks(LIMIT);
    for (let refused = 0; refused < LIMIT.burstMax; refused++) checks.countRefused(address, 0);
    expect(checks.countRefused(other, 0)).toBe(hasReason);
  });

  it('say how the address stands', () => {
    const checks = new FailedChecks(LIMIT);
    checks.countRefused('10.0.0.1', 0);
    expect(checks.addressHeaders('10.0.0.1', 0)).toEqual([
      ['RateLimit', '"refused-requests";r=2;t=1'],
      ['RateLimit-Policy', '"refused-requests";q=3;w=3'],
    ]);
  });

  it('forget the address that was refused longest ago when there are too many', () => {
    const checks = new FailedChecks(LIMIT);
    for (let refused = 0; refused < LIMIT.burstMax; refused++) checks.countRefused('first', 0);
    for (let other = 0; other < limits.refusedAddressesMax - 1; other++) checks.countRefused(`a${other}`, 0);
    expect(checks.addressHeaders('first', 0)[0]![1]).toContain('r=0');
    checks.countRefused('one more', 0);
    expect(checks.addressHeaders('first', 0)[0]![1]).toContain('r=3');
  });
});

describe('a caller whose checks failed too often', () => {
  it('is refused: that key at that address, and no other', () => {
    const checks = new FailedChecks(LIMIT);
    fail(checks, caller('k'), LIMIT.burstMax);
    const others = [caller('k'), caller('other'), caller('k', '10.0.0.2')];
    expect(others.map(it => checks.admits(it, 0))).toEqual([false, true, true]);
    expect(checks.callerRetryAfter(caller('k'), 0)).toEqual(['Retry-After', '1']);
    expect([999, 1_000].map(nowMs => checks.admits(caller('k'), nowMs))).toEqual([false, true]);
  });

  it('still has as many of its cancels checked', () => {
    const checks = new FailedChecks(LIMIT);
    const cancels = cancelOf(caller('k'));
    fail(checks, caller('k'), LIMIT.burstMax);
    for (let failure = 0; failure < LIMIT.burstMax; failure++) {
      expect(checks.admits(cancels, 0)).toBe(true);
      checks.countFailure(cancels, 0);
    }
    expect(checks.admits(cancels, 0)).toBe(false);
  });

  it('does not pass many at once on one token', () => {
    const checks = new FailedChecks(LIMIT);
    fail(checks, caller('k'), LIMIT.burstMax - 1);
    const end = checks.begin(caller('k'), 0);
    expect(checks.admits(caller('k'), 0)).toBe(false);
    end();
    expect(checks.admits(caller('k'), 0)).toBe(true);
  });

  it('passes any number at once if no check of it has failed', () => {
    const checks = new FailedChecks(LIMIT);
    for (let request = 0; request < 100; request++) {
      expect(checks.admits(caller('k'), 0)).toBe(true);
      checks.begin(caller('k'), 0);
    }
  });

  it('is forgotten first when there are too many, if its check is the oldest', () => {
    const checks = new FailedChecks(LIMIT);
    fail(checks, caller('k'), LIMIT.burstMax);
    for (let other = 0; other < limits.unprovenCallersMax - 1; other++) fail(checks, caller('k', `a${other}`), 1);
    expect(checks.admits(caller('k'), 0)).toBe(false);
    fail(checks, caller('k', 'one more'), 1);
    expect(checks.admits(caller('k'), 0)).toBe(true);
  });
});

describe('a proof', () => {
  it('lasts, of this key at this address', () => {
    const checks = new FailedChecks(LIMIT);
    checks.countSuccess(caller('k'), 5);
    const last = limits.provenCallerMs + 4;
    expect([5, last, last + 1].map(nowMs => checks.isProven(caller('k'), nowMs))).toEqual([true, true, false]);
    expect([caller('l'), caller('k', '10.0.0.2')].map(it => checks.isProven(it, 5))).toEqual([false, false]);
    expect([caller('k'), caller('l')].map(it => checks.laneOf(it, 5))).toEqual(['10.0.0.1 k', null]);
  });

  it('has a budget of its own: 70 forged requests a second under the owner’s key id refuse him nothing', () => {
    const checks = new FailedChecks(LIMIT);
    checks.countSuccess(caller('k'), 0);
    for (let ms = 0; ms < 60_000; ms += 100) {
      fail(checks, caller('k'), 7, ms);
      expect(checks.admits(caller('k'), ms)).toBe(true);
    }
  });

  it('has a bounded budget, in which cancels are refused last', () => {
    const checks = new FailedChecks(LIMIT);
    checks.countSuccess(caller('k'), 0);
    fail(checks, caller('k'), limits.provenFailedChecksBurstMax);
    expect([caller('k'), cancelOf(caller('k'))].map(it => checks.admits(it, 0))).toEqual([false, true]);
    fail(checks, cancelOf(caller('k')), limits.provenFailedChecksBurstMax);
    expect(checks.admits(cancelOf(caller('k')), 0)).toBe(false);
    // A success of the owner gives an attacker no new budget.
    checks.countSuccess(caller('k'), 0);
    expect(checks.admits(caller('k'), 0)).toBe(false);
    expect(checks.callerHeaders(caller('k'), 0)).toEqual([
      ['RateLimit', '"failed-checks";r=0;t=2'],
      ['RateLimit-Policy', '"failed-checks";q=4000;w=2'],
    ]);
  });

  it('makes room by the oldest of the same key, never by another key’s', () => {
    const checks = new FailedChecks(LIMIT);
    checks.countSuccess(caller('owner'), 0);
    for (let address = 0; address < 3 * limits.provenAddressesPerKeyMax; address++) {
      checks.countSuccess(caller('attacker', `a${address}`), 1);
      checks.countFailure(caller('owner', `a${address}`), 1);
    }
    expect(checks.isProven(caller('owner'), 1)).toBe(true);
    const proven = Array.from({ length: 3 * limits.provenAddressesPerKeyMax }, (_, n) =>
      checks.isProven(caller('attacker', `a${n}`), 1),
    );
    expect(proven.indexOf(true)).toBe(2 * limits.provenAddressesPerKeyMax);
  });

  it('is forgotten with its key', () => {
    const checks = new FailedChecks(LIMIT);
    for (const keyId of ['k', 'l']) checks.countSuccess(caller(keyId), 0);
    checks.forget(keyId => keyId === 'k');
    expect(['k', 'l'].map(keyId => checks.isProven(caller(keyId), 0))).toEqual([false, true]);
  });
});

const callers = fc
  .tuple(fc.nat(limits.provenAddressesPerKeyMax + 2), fc.constantFrom('k', 'l'), fc.boolean())
  .map(([n, keyId, isCancel]) => new Claimant(`10.0.0.${n}`, keyId, isCancel));
const steps = fc.array(
  fc.record({
    gapMs: fc.oneof(fc.constant(0), fc.nat(3_000), fc.nat(limits.provenCallerMs)),
    who: callers,
    what: fc.oneof(
      fc.record({ kind: fc.constantFrom('refuse', 'succeed', 'begin', 'end', 'forget') }),
      fc.record({ kind: fc.constant('fail'), times: fc.constantFrom(1, 3, 10, 5_000) }),
    ),
  }),
  { maxLength: 60 },
);

it('checks count as their naive twin does', () => {
  fc.assert(
    fc.property(steps, schedule => {
      const checks = new FailedChecks(LIMIT);
      const naive = new NaiveFailedChecks(LIMIT);
      const running: (readonly [() => void, () => void])[] = [];
      let nowMs = 0;
      for (const { gapMs, who, what } of schedule) {
        nowMs += gapMs;
        if (what.kind === 'refuse') {
          expect(checks.countRefused(who.prefix, nowMs)).toBe(naive.takeRefused(who.prefix, nowMs));
        } else if (what.kind === 'begin') running.push([checks.begin(who, nowMs), naive.begin(who, nowMs)]);
        else if (what.kind === 'end') for (const end of running.shift() ?? []) end();
        else for (const it of [checks, naive]) act(it, who, what, nowMs);
        expect(checks.isProven(who, nowMs)).toBe(naive.isProven(who, nowMs));
        expect(checks.admits(who, nowMs)).toBe(naive.admits(who, nowMs));
      }
    }),
  );
});

function act(
  checks: FailedChecks | NaiveFailedChecks,
  who: Claimant,
  what: { readonly kind: string; readonly times?: number },
  nowMs: number,
): void {
  if (what.kind === 'succeed') checks.countSuccess(who, nowMs);
  if (what.kind === 'forget') checks.forget(keyId => keyId === who.keyId);
  for (let time = 0; time < (what.times ?? 0); time++) checks.countFailure(who, nowMs);
}

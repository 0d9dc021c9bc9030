// Whose failures count together, what a success proves, and that the memory of addresses is bounded.

import { describe, expect, it } from 'vitest';
import { FailedChecks } from '../../../src/gateway/api/failed-checks.ts';
import { limits } from '../../../src/limits.ts';

const LIMIT = { perS: 1, burstMax: 3 };

function exhausted(address: string): FailedChecks {
  const failures = new FailedChecks(LIMIT);
  for (let failure = 0; failure < LIMIT.burstMax; failure++) {
    expect(failures.admits(address, 0)).toBe(true);
    failures.countFailure(address, 0);
  }
  return failures;
}

describe('an address that failed too often', () => {
  it('is refused, and nobody else is', () => {
    const failures = exhausted('10.0.0.1');
    expect(failures.admits('10.0.0.1', 0)).toBe(false);
    expect(failures.admits('10.0.0.2', 0)).toBe(true);
    expect(failures.retryAfter('10.0.0.1', 0)).toEqual(['Retry-After', '1']);
  });

  it('is admitted again as its bucket fills', () => {
    const failures = exhausted('10.0.0.1');
    expect(failures.admits('10.0.0.1', 999)).toBe(false);
    expect(failures.admits('10.0.0.1', 1_000)).toBe(true);
  });

  it.each([
    ['2001:db8:0:1::1', '2001:db8:0:1:ffff::2', false],
    ['2001:db8::1', '2001:db8:0:0:8::', false],
    ['2001:db8:0:1::1', '2001:db8:0:2::1', true],
    ['::1', '::2', false],
  ])('%s speaks for its /64: %s admitted %s', (address, other, isAdmitted) => {
    expect(exhausted(address).admits(other, 0)).toBe(isAdmitted);
  });
});

it('says how an address stands', () => {
  const failures = new FailedChecks(LIMIT);
  failures.countFailure('10.0.0.1', 0);
  expect(failures.headers('10.0.0.1', 0)).toEqual([
    ['RateLimit', '"failed-checks";r=2;t=1'],
    ['RateLimit-Policy', '"failed-checks";q=3;w=3'],
  ]);
});

it('remembers a success for as long as it proves something', () => {
  const failures = new FailedChecks(LIMIT);
  expect(failures.isProven('10.0.0.1', 0)).toBe(false);
  failures.countSuccess('10.0.0.1', 'k', 5);
  expect(failures.isProven('10.0.0.1', 4 + limits.provenAddressMs)).toBe(true);
  expect(failures.isProven('10.0.0.1', 5 + limits.provenAddressMs)).toBe(false);
});

it('remembers which keys an address holds, the latest of them', () => {
  const failures = new FailedChecks(LIMIT);
  failures.countSuccess('10.0.0.1', 'k', 0);
  failures.countSuccess('10.0.0.2', 'l', 0);
  const proven = ['k', 'l'].map(keyId => ['10.0.0.1', '10.0.0.2'].map(it => failures.hasProven(it, keyId, 1)));
  expect(proven).toEqual([
    [true, false],
    [false, true],
  ]);
  expect(failures.hasProven('10.0.0.1', 'k', limits.provenAddressMs)).toBe(false);
  for (let other = 0; other < limits.provenKeysPerAddressMax - 1; other++) {
    failures.countSuccess('10.0.0.1', `${other}`, 1);
  }
  failures.countSuccess('10.0.0.1', 'k', 2);
  failures.countSuccess('10.0.0.1', 'one more', 3);
  expect(['k', '0', '1'].map(keyId => failures.hasProven('10.0.0.1', keyId, 4))).toEqual([true, false, true]);
});

it('forgets whoever was silent longest when there are too many', () => {
  const failures = exhausted('10.0.0.1');
  for (let other = 0; other < limits.failedCheckAddressesMax - 1; other++) failures.countFailure(`a${other}`, 0);
  expect(failures.admits('10.0.0.1', 0)).toBe(false);
  failures.countFailure('one more', 0);
  expect(failures.admits('10.0.0.1', 0)).toBe(true);
});

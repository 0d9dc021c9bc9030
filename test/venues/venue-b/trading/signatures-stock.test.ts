// Signatures for venue B that are made ahead. None is used twice, none is old, and none is made while the account is idle. Ed25519 signs at
// once, so virtual time decides which signatures are ready. RSA signs on libuv's threads.

import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { UnixMillis } from '../../../../src/core/domain/numbers.ts';
import { limits } from '../../../../src/limits.ts';
import {
  createVenueBAheadSigner,
  createVenueBSigner,
  type VenueBHeaders,
  verifyVenueBRequest,
} from '../../../../src/venues/venue-b/auth.ts';
import { SignatureStock } from '../../../../src/venues/venue-b/trading/signatures.ts';
import { VirtualTimers } from '../../../support/virtual-timers.ts';

const URL_SIGNED = 'http://venue.test/trade-api/v2/portfolio/events/orders';
const PATH = '/trade-api/v2/portfolio/events/orders';
/** One second. At rest one signature is ready. */
const SECOND_MS = 1_000;

const pairs = { ed25519: generateKeyPairSync('ed25519'), rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }) };

/** Runs the task when virtual time moves on, which ends a turn. */
const soonBy = (timers: VirtualTimers) => (task: () => void) => void timers.after(0, task);

/** Returns a stock, with the number of signatures that were made ahead, and of those made when they were taken. */
function rig(keyType: keyof typeof pairs = 'ed25519', timers = new VirtualTimers()) {
  const { publicKey, privateKey } = pairs[keyType];
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const [sign, signAhead] = [createVenueBSigner('key', pem), createVenueBAheadSigner('key', pem)];
  const counts = { ahead: 0, now: 0 };
  let heard: () => void = () => {};
  const stock = new SignatureStock({
    sign: timestampMs => {
      counts.now += 1;
      return sign('POST', URL_SIGNED, timestampMs);
    },
    signAhead: (timestampMs, done) =>
      signAhead('POST', URL_SIGNED, timestampMs, headers => {
        counts.ahead += 1;
        done(headers);
        heard();
      }),
    defer: soonBy(timers),
    timers,
  });
  onTestFinished(() => stock.close());
  /** Resolves when the next signature has been made ahead. */
  const made = () => new Promise<void>(resolve => (heard = resolve));
  const isGood = (headers: VenueBHeaders): boolean => {
    const [timestamp, signature] = [timestampOf(headers), signatureOf(headers)];
    return verifyVenueBRequest({ method: 'POST', path: PATH, timestamp, signature }, publicKey);
  };
  /** Takes a signature as each request does. */
  const take = (): VenueBHeaders => {
    const headers = stock.take();
    stock.keep();
    return headers;
  };
  return { stock, take, timers, counts, made, isGood };
}

const timestampOf = (headers: VenueBHeaders): string => headers['KALSHI-ACCESS-TIMESTAMP']!;
const signatureOf = (headers: VenueBHeaders): string => headers['KALSHI-ACCESS-SIGNATURE']!;

describe('a signature', () => {
  it('is made as the first is taken, and ahead from then on', () => {
    const { take, timers, counts, isGood } = rig();
    expect(isGood(take())).toBe(true);
    expect(counts).toEqual({ now: 1, ahead: 0 });
    timers.advance(1);
    expect(counts).toEqual({ now: 1, ahead: 1 });
    timers.advance(500);
    const headers = take();
    expect(isGood(headers)).toBe(true);
    expect(Number(timestampOf(headers))).toBeLessThan(timers.now() - 500);
    expect(counts.now).toBe(1);
  });

  it('is there from the moment at which the account is active', () => {
    const { stock, take, timers, counts } = rig();
    stock.keep();
    timers.advance(0);
    take();
    expect(counts).toEqual({ now: 0, ahead: 1 });
  });

  it('is renewed before it is too old, once each time', () => {
    const { take, timers, counts } = rig();
    take();
    const renewals = 10;
    for (let passedMs = 0; passedMs <= renewals * limits.venueBSignatureRenewMs; passedMs += 1) timers.advance(1);
    expect(counts).toEqual({ now: 1, ahead: 1 + renewals });
    expect(timers.now() - Number(timestampOf(take()))).toBeLessThan(limits.venueBSignatureAgeMsMax);
    expect(counts.now).toBe(1);
  });

  it('that is too old (venueBSignatureAgeMsMax) is made anew: the thread was held up', () => {
    const { stock, take, timers, counts } = rig();
    stock.keep();
    timers.advance(0);
    // The clock moves, but no timer runs.
    timers.setClock(limits.venueBSignatureAgeMsMax);
    expect(timestampOf(take())).toBe(String(timers.now()));
    expect(counts).toEqual({ now: 1, ahead: 1 });
  });

  it('of the future is made anew: the clock was set back', () => {
    const { stock, take, timers, counts } = rig();
    stock.keep();
    timers.advance(0);
    timers.setClock(-1);
    expect(timestampOf(take())).toBe(String(timers.now()));
    expect(counts.now).toBe(1);
  });

  it('is not renewed once the account is idle (venueBSignatureIdleMs)', () => {
    const { take, timers, counts } = rig();
    take();
    timers.advance(limits.venueBSignatureIdleMs);
    expect(timers.pending).toBe(1);
    timers.advance(SECOND_MS);
    const made = counts.ahead;
    expect(timers.pending).toBe(0);
    timers.advance(limits.venueBSignatureIdleMs);
    expect(counts.ahead).toBe(made);
    take();
    expect(counts.now).toBe(2);
  });

  it('has a time of its own, while more are taken than there are milliseconds (venueBSignatureDatesMax)', () => {
    const { take, timers } = rig();
    const perMs = 3;
    const dates = new Set<string>();
    for (let order = 0; order < 300; order += 1) {
      dates.add(timestampOf(take()));
      if (order % perMs === 0) timers.advance(1);
    }
    expect(dates.size).toBe(300);
    for (let order = 0; order < limits.venueBSignatureDatesMax; order += 1) {
      const ageMs = timers.now() - Number(timestampOf(take()));
      expect(ageMs).toBeLessThanOrEqual(limits.venueBSignatureAgeMsMax);
    }
  });

  it('is not made after the stock is closed', () => {
    const { stock, take, timers, counts } = rig();
    take();
    timers.advance(1);
    stock.close();
    expect(timers.pending).toBe(0);
    timers.advance(limits.venueBSignatureIdleMs);
    expect(counts).toEqual({ now: 1, ahead: 1 });
  });
});

describe('how many are ready', () => {
  /** Returns the number of signatures that are ready for a burst. */
  const ready = ({ take, counts }: ReturnType<typeof rig>): number => {
    const before = counts.now;
    let taken = 0;
    while (counts.now === before) {
      take();
      taken += 1;
    }
    return taken - 1;
  };

  it.each([
    [0, 1],
    [4, 3],
    [20, 11],
    [200, limits.venueBSignaturesMax],
    [1_000, limits.venueBSignaturesMax],
  ])('after a second with %i orders: %i (venueBSignaturesMax)', (perS, expected) => {
    const it = rig();
    it.stock.keep();
    for (let order = 0; order < perS; order += 1) {
      it.take();
      it.timers.advance(SECOND_MS / perS - (order === perS - 1 ? 1 : 0));
    }
    // A millisecond makes at most venueBSignaturesInMakingMax signatures.
    it.timers.advance(0);
    expect(ready(it)).toBe(expected);
  });

  it('falls again, and none is renewed for nothing', () => {
    const it = rig();
    for (let order = 0; order < 100; order += 1) {
      it.take();
      it.timers.advance(10);
    }
    it.timers.advance(3 * SECOND_MS);
    const before = it.counts.ahead;
    it.timers.advance(10 * limits.venueBSignatureRenewMs);
    expect(it.counts.ahead - before).toBe(10);
    expect(ready(it)).toBe(1);
  });

  it('costs as many signatures as orders while orders come steadily', () => {
    const { take, timers, counts } = rig();
    for (let order = 0; order < 1_000; order += 1) {
      take();
      timers.advance(10);
    }
    expect(counts.now).toBe(1);
    expect(counts.ahead).toBeLessThanOrEqual(1_000 + limits.venueBSignaturesMax);
  });

  it('is zero for the account used longest ago if more are active (venueBSignatureStocksMax)', () => {
    const timers = new VirtualTimers();
    const rigs = Array.from({ length: limits.venueBSignatureStocksMax + 1 }, () => rig('ed25519', timers));
    for (const { stock } of rigs) stock.keep();
    timers.advance(0);
    const [first, ...others] = rigs;
    for (const { counts } of others) expect(counts).toEqual({ now: 0, ahead: 1 });
    first!.take();
    expect(first!.counts).toEqual({ now: 1, ahead: 0 });
    // Now another stock has its turn.
    timers.advance(limits.venueBSignatureRenewMs);
    expect(others[0]!.counts.ahead).toBe(1);
    expect(others[1]!.counts.ahead).toBe(2);
  });
});

describe('an RSA signature', () => {
  it('is made meanwhile, and given out once', async () => {
    const { stock, take, timers, counts, made, isGood } = rig('rsa');
    stock.keep();
    const first = made();
    timers.advance(0);
    expect(counts).toEqual({ now: 0, ahead: 0 });
    await first;
    const signatures = [take(), take()];
    expect(counts).toEqual({ now: 1, ahead: 1 });
    expect(signatures.every(isGood)).toBe(true);
    expect(new Set(signatures.map(signatureOf)).size).toBe(2);
  });

  it('that is ready after the stock is closed is not kept', async () => {
    const { stock, take, timers, counts, made } = rig('rsa');
    stock.keep();
    const first = made();
    timers.advance(0);
    stock.close();
    await first;
    expect(timers.pending).toBe(0);
    take();
    expect(counts).toEqual({ now: 1, ahead: 1 });
  });

  it('by a key that cannot sign is tried again later, not at once', async () => {
    const timers = new VirtualTimers();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 512 });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const signAhead = createVenueBAheadSigner('key', pem);
    const attempts: (VenueBHeaders | null)[] = [];
    let heard: () => void = () => {};
    const stock = new SignatureStock({
      sign: () => ({}),
      signAhead: (timestampMs, done) =>
        signAhead('POST', URL_SIGNED, timestampMs, headers => {
          attempts.push(headers);
          done(headers);
          heard();
        }),
      defer: soonBy(timers),
      timers,
    });
    onTestFinished(() => stock.close());
    const attempt = () => new Promise<void>(resolve => (heard = resolve));
    stock.keep();
    const first = attempt();
    timers.advance(0);
    await first;
    timers.advance(limits.venueBSignatureRenewMs - 1);
    expect(attempts).toEqual([null]);
    const second = attempt();
    timers.advance(1);
    await second;
    expect(attempts).toEqual([null, null]);
  });
});

it('no signature is given out twice, and none is older than a second, for any sequence of events', () => {
  const timed = <T extends string>(type: T, min: number, max: number) =>
    fc.record({ type: fc.constant(type), ms: fc.integer({ min, max }) });
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ type: fc.constant('take' as const), count: fc.integer({ min: 1, max: 10 }) }) },
    { weight: 6, arbitrary: timed('wait', 0, 1_500) },
    { weight: 1, arbitrary: timed('idle', 0, 90_000) },
    { weight: 1, arbitrary: timed('clock', -3_000, 3_000) },
    { weight: 6, arbitrary: fc.constant({ type: 'turn' } as const) },
    { weight: 2, arbitrary: fc.constantFrom({ type: 'keep' } as const, { type: 'close' } as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), steps => {
      // This signer makes the same signature for the same time, as Ed25519 does.
      const timers = new VirtualTimers();
      const sign = (timestampMs: number) => ({ at: String(timestampMs) });
      const due: (() => void)[] = [];
      const endTurn = (): void => {
        while (due.length > 0) due.shift()!();
      };
      const soon = (task: () => void): void => void due.push(task);
      const stock = new SignatureStock({ sign, signAhead: (at, done) => done(sign(at)), defer: soon, timers });
      const seen = new Set<string>();
      const take = (): void => {
        const headers = stock.take();
        stock.keep();
        const ageMs = timers.now() - Number(headers.at);
        expect(ageMs).toBeGreaterThanOrEqual(0);
        expect(ageMs).toBeLessThanOrEqual(limits.venueBSignatureAgeMsMax);
        expect(seen.has(headers.at!)).toBe(false);
        seen.add(headers.at!);
      };
      for (const it of steps) {
        if (it.type === 'take') for (let count = 0; count < it.count; count += 1) take();
        else if (it.type === 'wait' || it.type === 'idle') timers.advance(it.ms);
        else if (it.type === 'clock') timers.setClock(it.ms);
        else if (it.type === 'turn') endTurn();
        else stock[it.type]();
        expect(timers.pending).toBeLessThanOrEqual(1);
        expect(due.length).toBeLessThanOrEqual(1);
      }
      stock.close();
      endTurn();
      expect(timers.pending).toBe(0);
    }),
    { numRuns: 500 },
  );
});

it('the date of a signature is the latest without any, as the naive twin finds it', () => {
  const step = fc.record({
    waitMs: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -1_500, max: 700 })),
    count: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 300 })),
    // The number of signatures that are taken in one millisecond.
    inOneMs: fc.constantFrom(1, 2, 5_000),
  });
  // The stock forgets the dates that are the furthest from now (venueBSignatureDatesMax), and the clock is set back to the forgotten dates.
  const forgotten = [
    { waitMs: 0, count: limits.venueBSignatureDatesMax + 100, inOneMs: 1 },
    { waitMs: -limits.venueBSignatureDatesMax + 10, count: 5, inOneMs: 5_000 },
  ];
  const backAndForth = [0, -10, 10].map(waitMs => ({ waitMs, count: 2, inOneMs: 5_000 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), steps => {
      let now = 1_000_000;
      const timers = { now: () => now as UnixMillis, elapsed: () => now, after: () => () => {} };
      const sign = (timestampMs: number) => ({ at: String(timestampMs) });
      const stock = new SignatureStock({ sign, signAhead: () => {}, defer: () => {}, timers });
      const dates: number[] = [];
      const naive = (): number => {
        let date = now;
        while (dates.includes(date)) date -= 1;
        if (now - date > limits.venueBSignatureAgeMsMax / 2) return now;
        dates.push(date);
        dates.sort((one, other) => one - other);
        if (dates.length > limits.venueBSignatureDatesMax) {
          if (dates.at(-1)! - now > now - dates[0]!) dates.pop();
          else dates.shift();
        }
        return date;
      };
      for (const { waitMs, count, inOneMs } of steps) {
        now += waitMs;
        for (let made = 1; made <= count; made += 1) {
          const date = Number(stock.signNow().at);
          if (date !== naive()) throw new Error(`${date} at ${now}`);
          if (made % inOneMs === 0) now += 1;
        }
      }
    }),
    { numRuns: 25, examples: [[forgotten], [backAndForth]] },
  );
});

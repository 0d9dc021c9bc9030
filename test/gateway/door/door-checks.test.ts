// Which signatures the engine's thread checks itself: the first signatures of a turn, from callers that have proven a key. The pool checks
// the rest.

import { expect, it } from 'vitest';
import type { SignatureCheck } from '../../../src/core/auth/check.ts';
import { createKeyPair } from '../../../src/core/auth/key-pair.ts';
import { fail, ok } from '../../../src/core/domain/result.ts';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { DoorChecks } from '../../../src/gateway/door/door-checks.ts';
import type { NumberedCheck } from '../../../src/gateway/door/door-messages.ts';
import { signNatively } from '../../support/sign-natively.ts';

function rig(checksOnThisThread = true) {
  const asked: NumberedCheck[] = [];
  const metrics = new Metrics({ operations: [] });
  return {
    asked,
    checks: new DoorChecks({ checksOnThisThread, ask: check => asked.push(check), metrics }),
  };
}

async function checkOf(message: string, signed = message): Promise<SignatureCheck> {
  const { seedHex, publicKeyHex } = await createKeyPair();
  return { publicKeyHex, message, signature: Buffer.from(signNatively(signed, seedHex)).toString('base64') };
}

it('the thread checks the first request of a turn, right or wrong', async () => {
  const { checks, asked } = rig();
  expect(await checks.verify(await checkOf('a'), 'caller')).toEqual(ok(true));
  await new Promise(setImmediate);
  expect(await checks.verify(await checkOf('a', 'b'), 'caller')).toEqual(ok(false));
  expect(asked).toEqual([]);
});

it('the thread leaves a second request of a turn to the pool, and those that come while that is under way', async () => {
  const { checks, asked } = rig();
  const check = await checkOf('a');
  const first = checks.verify(check, 'caller');
  const second = checks.verify(check, 'caller', 'cancel');
  expect(await first).toEqual(ok(true));
  await new Promise(setImmediate);
  const third = checks.verify(check, 'other');
  expect(asked).toMatchObject([
    { check, lane: 'caller', urgency: 'cancel' },
    { check, lane: 'other', urgency: 'other' },
  ]);
  checks.settle(asked[1]!.number, fail('BUSY'));
  checks.settle(asked[0]!.number, ok(false));
  expect([await second, await third]).toEqual([ok(false), fail('BUSY')]);
  await new Promise(setImmediate);
  expect(await checks.verify(check, 'caller')).toEqual(ok(true));
});

it('the thread never checks for a caller that has proven no key, nor where main checks nothing either', async () => {
  const check = await checkOf('a');
  const own = rig();
  void own.checks.verify(check, null);
  const off = rig(false);
  void off.checks.verify(check, 'caller');
  expect([own.asked.length, off.asked.length]).toEqual([1, 1]);
});

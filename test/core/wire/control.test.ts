// What a command says to a running gateway, as text.

import { expect, it } from 'vitest';
import { ok } from '../../../src/core/domain/result.ts';
import { readControlRequest } from '../../../src/core/wire/control.ts';

it('a request is read', () => {
  expect(readControlRequest('{"op":"stop","name":"demo"}')).toEqual(ok({ op: 'stop', name: 'demo' }));
  expect(readControlRequest('{"op":"status"}')).toEqual(ok({ op: 'status' }));
});

it('4030: a request that gives a key twice is refused', () => {
  expect(readControlRequest('{"op":"stop","name":"demo","name":"*"}')).toEqual({
    ok: false,
    error: 'name: is given twice',
  });
});

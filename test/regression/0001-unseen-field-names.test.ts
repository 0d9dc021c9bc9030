// Found by the fuzz target "order bodies": the error quoted an unknown field whose name is empty or invisible as it was. It named no field
// (`: is not a field here`), broke into lines, or turned the text around.

import { expect, it } from 'vitest';
import { readVenueBOrder } from '../../src/wire/order-requests.ts';

const FIELDS = 'ticker, side, action, count, size, priceCents, price, timeInForce, postOnly, reduceOnly, selfTrade';

it.each([
  ['', '""'],
  [' ', '" "'],
  ['a\nb', '"a\\nb"'],
  ['\u202ecount', '"?count"'],
  ['\ud800', '"\\ud800"'],
  ['é'.repeat(65), `"${'?'.repeat(65)}"`],
  ['postonly', 'postonly'],
  ['x'.repeat(65), `${'x'.repeat(64)}…`],
])('a field %j is named %s', (name, shown) => {
  expect(readVenueBOrder({ [name]: 1 })).toEqual({
    ok: false,
    error: `${shown}: is not a field here; the fields are ${FIELDS}`,
  });
});

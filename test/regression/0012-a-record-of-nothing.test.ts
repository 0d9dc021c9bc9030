// Found by the fuzz target "catalog records": the sum of no bytes is 0, so that a record cut to `1 0 ` was sound, and undefined.

import { expect, it } from 'vitest';
import { decodeRecord } from '../../src/catalog/catalog-record.ts';

it('is damaged', () => {
  expect(decodeRecord(Buffer.from('1 0 '))).toEqual({ ok: false, error: 'is damaged' });
});

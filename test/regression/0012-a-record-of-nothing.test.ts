// Found by the fuzz target "catalog records": the checksum of no bytes is 0. So a record that was cut to `1 0 ` was valid and had no value.

import { expect, it } from 'vitest';
import { decodeRecord } from '../../src/catalog/catalog-store.ts';

it('a record without bytes is damaged', () => {
  expect(decodeRecord(Buffer.from('2 0 '))).toEqual({ ok: false, error: 'is damaged' });
});

// The types of the binary form are those of its schema: made anew, they are what is committed.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeProtobufTypes, PROTOBUF_TYPES_PATH } from '../support/make-protobuf-types.ts';

it('src/core/wire/protobuf-types.generated.ts is made from the files in proto; if not: npm run make:api-types', () => {
  expect(readFileSync(PROTOBUF_TYPES_PATH, 'utf8')).toBe(makeProtobufTypes());
});

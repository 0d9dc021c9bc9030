// The committed types of the client are what the contract gives.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../src/tools/client/api-types.generated.ts';
import { operations } from '../support/contract-schema.ts';
import { API_TYPES_PATH, makeApiTypes } from '../support/make-api-types.ts';

it('src/tools/client/api-types.generated.ts is made from proto/openapi.yaml; if not: node test/support/make-api-types.ts', async () => {
  expect(readFileSync(API_TYPES_PATH, 'utf8')).toBe(await makeApiTypes());
});

it('lists every operation but the upgrade, as the document has it', () => {
  const documented = operations()
    .filter(({ operationId }) => !operationId.startsWith('open'))
    .map(({ operationId, method, path, bucket, credentials }) => {
      const needsIdempotencyKey = bucket === 'submissions' && !operationId.endsWith('Batch');
      return [operationId, { method, path, needsIdempotencyKey, auth: credentials[0] ?? 'open' }];
    });
  expect(OPERATIONS).toEqual(Object.fromEntries(documented));
});

// The client’s table of operations is the contract’s.

import { expect, it } from 'vitest';
import { OPERATIONS } from '../../src/core/generated/api-types.ts';
import { operations } from '../support/contract-schema.ts';

it('lists every operation but the upgrade, as the document has it', () => {
  const documented = operations()
    .filter(({ operationId }) => !operationId.startsWith('open'))
    .map(({ operationId, method, path, bucket, credentials }) => {
      const needsIdempotencyKey = bucket === 'submissions' && !operationId.endsWith('Batch');
      return [operationId, { method, path, needsIdempotencyKey, auth: credentials[0] ?? 'open' }];
    });
  expect(OPERATIONS).toEqual(Object.fromEntries(documented));
});

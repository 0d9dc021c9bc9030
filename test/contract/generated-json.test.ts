// The committed JSON that the gateway serves is what the YAML gives.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CONTRACTS, contractJsonPath, makeContractJson } from '../support/make-contract-json.ts';

it.each(CONTRACTS)(
  'proto/%s.generated.json is made from the YAML beside it; if not: npm run make:api-types',
  contract => {
    expect(readFileSync(contractJsonPath(contract), 'utf8')).toBe(makeContractJson(contract));
  },
);

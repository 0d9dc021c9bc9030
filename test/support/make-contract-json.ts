// Makes proto/openapi.generated.json and proto/asyncapi.generated.json, which the gateway serves, from the YAML beside them. Run it
// (`npm run make:api-types`) after a change of the contract; test/contract/generated-json.test.ts compares.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const PROTO = join(import.meta.dirname, '../../proto');
export const CONTRACTS = ['openapi', 'asyncapi'] as const;
type Contract = (typeof CONTRACTS)[number];

/** Where the generated file is. */
export function contractJsonPath(contract: Contract): string {
  return join(PROTO, `${contract}.generated.json`);
}

/** The text of the generated file. */
export function makeContractJson(contract: Contract): string {
  const document = parse(readFileSync(join(PROTO, `${contract}.yaml`), 'utf8'));
  return `${JSON.stringify(document, null, 1)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const contract of CONTRACTS) writeFileSync(contractJsonPath(contract), makeContractJson(contract));
}

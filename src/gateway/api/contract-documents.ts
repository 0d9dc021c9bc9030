// The contract as it is served (/v1/openapi.json, /v1/asyncapi.json). What is read is made of proto/*.yaml when they change: to parse
// them at every start took as long as all the rest of this thread's. Main thread, before it listens.

import { readFileSync } from 'node:fs';

export interface ContractDocuments {
  /** JSON text. */
  readonly openapi: string;
  /** JSON text. */
  readonly asyncapi: string;
}

/** Throws if a file is missing or is no JSON: such an installation must not start. That they are what they should be is tested. */
export function contractDocuments(): ContractDocuments {
  return { openapi: readDocument('openapi'), asyncapi: readDocument('asyncapi') };
}

/** Without the line breaks, which are for whoever compares two versions. */
function readDocument(name: string): string {
  const file = new URL(`../../../proto/${name}.generated.json`, import.meta.url);
  return JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
}

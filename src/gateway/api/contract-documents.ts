// Reads the contract as the gateway serves it (/v1/openapi.json, /v1/asyncapi.json), and the page for authors of clients (/llms.txt). The
// JSON files are generated from proto/*.yaml, because parsing YAML took as long as the rest of this thread's start. Main thread, before it
// listens.

import { readFileSync } from 'node:fs';

export interface ContractDocuments {
  /** The OpenAPI document as JSON text. */
  readonly openapi: string;
  /** The AsyncAPI document as JSON text. */
  readonly asyncapi: string;
  /** docs/WRITING-A-CLIENT.md, in the form of llms.txt. */
  readonly guide: string;
}

const GUIDE = new URL('../../../docs/WRITING-A-CLIENT.md', import.meta.url);

/** Throws if a file is missing or is not JSON, because such an installation must not start. Tests check the content. */
export function contractDocuments(): ContractDocuments {
  return { openapi: readDocument('openapi'), asyncapi: readDocument('asyncapi'), guide: readFileSync(GUIDE, 'utf8') };
}

/** Reads a document and drops its line breaks, which only help to compare versions. */
function readDocument(name: string): string {
  const file = new URL(`../../core/generated/${name}.json`, import.meta.url);
  return JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
}

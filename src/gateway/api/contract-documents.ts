// The contract as served (/v1/openapi.json, /v1/asyncapi.json), and the page for authors of clients (/llms.txt). The JSON files are
// generated from proto/*.yaml: parsing YAML took as long as the rest of this thread's start. Main thread, before it listens.

import { readFileSync } from 'node:fs';

export interface ContractDocuments {
  /** The document as JSON text. */
  readonly openapi: string;
  /** The document as JSON text. */
  readonly asyncapi: string;
  /** docs/WRITING-A-CLIENT.md, in the form of llms.txt. */
  readonly guide: string;
}

const GUIDE = new URL('../../../docs/WRITING-A-CLIENT.md', import.meta.url);

/** Throws if a file is missing or not JSON: such an installation must not start. Tests check the content. */
export function contractDocuments(): ContractDocuments {
  return { openapi: readDocument('openapi'), asyncapi: readDocument('asyncapi'), guide: readFileSync(GUIDE, 'utf8') };
}

/** Drops line breaks, which serve only to compare versions. */
function readDocument(name: string): string {
  const file = new URL(`../../core/generated/${name}.json`, import.meta.url);
  return JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
}

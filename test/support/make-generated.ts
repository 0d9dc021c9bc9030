// Makes every generated file: types, tables and clients of the contracts in proto/, and the bundle of the web page. Run it
// (`npm run make:generated`) after a change of what they are made from; test/contract/generated.test.ts compares.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { API_TYPES_PATH, makeApiTypes } from './make-api-types.ts';
import { makeScript, makeStyle } from './make-page.ts';
import { makeProtobufTypes, PROTOBUF_TYPES_PATH } from './make-protobuf-types.ts';
import { makeProtocol, PROTOCOL_PATH } from './make-protocol.ts';
import { MODELS_PATH, makePythonModels, makePythonOperations, OPERATIONS_PATH } from './make-python-client.ts';

const ROOT = join(import.meta.dirname, '../..');
/** All generated files of the gateway and its clients in TypeScript are here. The Python client’s are modules that bots import. */
const FOLDER = 'src/core/generated';
export const PAGE_FILES = [`${FOLDER}/page.js`, `${FOLDER}/page.css`] as const;

/** The text of each file. */
export const GENERATED: Readonly<Record<string, () => string | Promise<string>>> = {
  [`${FOLDER}/openapi.json`]: () => asJson('openapi'),
  [`${FOLDER}/asyncapi.json`]: () => asJson('asyncapi'),
  [API_TYPES_PATH]: makeApiTypes,
  [PROTOBUF_TYPES_PATH]: makeProtobufTypes,
  [PAGE_FILES[0]]: makeScript,
  [PAGE_FILES[1]]: makeStyle,
  [MODELS_PATH]: makePythonModels,
  [OPERATIONS_PATH]: makePythonOperations,
  [PROTOCOL_PATH]: makeProtocol,
};

/** A contract as the gateway serves it. */
function asJson(contract: 'openapi' | 'asyncapi'): string {
  const document = parse(readFileSync(join(ROOT, `proto/${contract}.yaml`), 'utf8'));
  return `${JSON.stringify(document, null, 1)}\n`;
}

if (import.meta.main) {
  for (const [path, make] of Object.entries(GENERATED)) writeFileSync(join(ROOT, path), await make());
}

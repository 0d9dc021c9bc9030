// The contract documents as a measure for answers: which operations exist, and which faults an answer has. Reads the documents that the
// gateway serves. JSON Schema is as in OpenAPI 3.1 (draft 2020-12) and AsyncAPI 3.0 (draft 07).

import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { contractDocuments } from '../../src/gateway/api/contract-documents.ts';
import { type ContractOperation, contractOperations } from './contract-operations.ts';

/** Parsed JSON that can be read at any depth without proof. A field that does not exist is undefined, and then the test fails. */
export type Json = { readonly [name: string]: Json } & Json[] & (string | number | boolean | null);

const documents = contractDocuments();
export const openapi = JSON.parse(documents.openapi) as Json;
export const asyncapi = JSON.parse(documents.asyncapi) as Json;
const documented = contractOperations(documents.openapi);

/** The schemas of one document, found by JSON pointer. */
class DocumentSchemas {
  readonly #ajv: Ajv;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(ajv: Ajv, document: Json) {
    this.#ajv = ajv;
    formats.default(ajv);
    // The document is not a schema, but schemas are looked up in the document as if it were.
    ajv.addVocabulary(['discriminator', 'example', ...Object.keys(document)]);
    ajv.addSchema(document, 'document', undefined, false);
  }

  /** Returns the faults of a value by the schema at `#/…`. */
  problems(pointer: string, value: unknown): string[] {
    const validate = this.#validatorOf(pointer);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(error => `${error.instancePath || 'value'} ${error.message ?? error.keyword}`);
  }

  #validatorOf(pointer: string): ValidateFunction {
    let validate = this.#validators.get(pointer);
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `document${encodeURI(pointer)}` });
      this.#validators.set(pointer, validate);
    }
    return validate;
  }
}

/**
 * Strict about keywords that do not exist. Nullable types, and conditions beside types, are allowed because the contract uses them on
 * purpose.
 */
const STRICT = {
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
} as const;
export const openapiSchemas = new DocumentSchemas(new Ajv2020(STRICT), openapi);
export const asyncapiSchemas = new DocumentSchemas(new Ajv(STRICT), asyncapi);
/** Schemas for values of headers and queries, which are text. */
const textSchemas = new DocumentSchemas(new Ajv2020({ ...STRICT, coerceTypes: 'array' }), openapi);

/** Every operation of the REST contract. */
export function operations(): readonly ContractOperation[] {
  return documented;
}

/**
 * Returns the faults of an answer to an operation. A fault is a status, a header or a body that differs from the document. A required
 * header that is missing, and a header of ours that is not documented, are faults, too. `body` is parsed JSON. Header names may be in any
 * case.
 */
export function answerProblems(
  operationId: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): string[] {
  const operation = operations().find(candidate => candidate.operationId === operationId);
  if (operation === undefined) return [`${operationId}: no such operation`];
  const pointer = resolve(`${operationPointer(operation)}/responses/${status}`);
  const answer = at(openapi, pointer);
  if (answer === undefined) return [`${operationId}: status ${status} is not documented`];
  const problems = headerProblems(pointer, answer, headers);
  const type = 'application/json';
  if (answer.content?.[type] !== undefined) {
    problems.push(...openapiSchemas.problems(`${pointer}/content/${escaped(type)}/schema`, body));
    const sent = headers[Object.keys(headers).find(name => name.toLowerCase() === 'content-type') ?? ''] ?? 'nothing';
    if (!sent.startsWith(type)) problems.push(`header Content-Type: must be ${type}, is ${sent}`);
  }
  return problems.map(problem => `${operationId} ${status}: ${problem}`);
}

/** The headers that the protocol adds to the headers of HTTP. */
const OWN_HEADER = /^(svc-.*|ratelimit.*|retry-after|idempotency-.*|server-timing|allow)$/;

function headerProblems(pointer: string, answer: Json, headers: Readonly<Record<string, string>>): string[] {
  const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const documentedNames = new Set(Object.keys(answer.headers ?? {}).map(name => name.toLowerCase()));
  const strange = [...sent.keys()].filter(name => OWN_HEADER.test(name) && !documentedNames.has(name));
  const wrong = Object.keys(answer.headers ?? {}).flatMap(name => {
    const own = resolve(`${pointer}/headers/${escaped(name)}`);
    const value = sent.get(name.toLowerCase());
    if (value === undefined) return at(openapi, own)?.required === true ? [`header ${name}: is missing`] : [];
    return textSchemas.problems(`${own}/schema`, value).map(problem => `header ${name}: ${problem}`);
  });
  return [...strange.map(name => `header ${name}: is not documented`), ...wrong];
}

/** Returns the JSON pointer to an operation. */
export function operationPointer({ path, method }: ContractOperation): string {
  return `#/paths/${escaped(path)}/${method.toLowerCase()}`;
}

/** Returns the pointer itself or, if a reference stands there, the pointer of that reference's target. */
export function resolve(pointer: string): string {
  const reference = at(openapi, pointer)?.$ref;
  return reference === undefined ? pointer : String(reference);
}

/** Returns the value at a JSON pointer, or undefined if the document has no such value. */
export function at(document: Json, pointer: string): Json | undefined {
  return pointer
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((value, part) => value?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

/** Escapes a name for use in a JSON pointer. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns every object of a document with its JSON pointer. */
export function objectsIn(value: Json, pointer = '#'): { readonly pointer: string; readonly value: Json }[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, child]) =>
    objectsIn(child as Json, `${pointer}/${escaped(name)}`),
  );
  return [{ pointer, value }, ...inside];
}

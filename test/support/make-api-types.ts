// Makes the types of every request and answer from proto/openapi.yaml, and a table of the operations, so that the client cannot drift from
// the contract.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
export const API_TYPES_PATH = 'src/core/generated/api-types.ts';

const HEADER = `// Generated from proto/openapi.yaml by test/support/make-api-types.ts: the types of every request and answer, and what a
// client must know of each operation. Not to be edited.
`;
/** The error bodies that a client meets in the place of answers. */
const ERRORS = ['ErrorBody', 'OlderErrorBody', 'ForbiddenBody'];

export type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: { readonly 'application/json': { readonly schema: { readonly $ref: string } } };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly Schema[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

export interface Entry {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

/** Returns the text of the generated file. */
export async function makeApiTypes(): Promise<string> {
  const document = parse(readFileSync(join(ROOT, 'proto/openapi.yaml'), 'utf8')) as Document;
  const entries = entriesOf(document);
  const types = await compileSchemas(document, entries);
  return formatted([HEADER, types, operationsType(entries), operationsTable(entries)].join('\n'));
}

/** Returns the operations that are plain HTTP. The upgrade to a stream is left to the stream client. */
export function entriesOf(document: Document): Entry[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !('101' in operation.responses))
      .map(([method, operation]) => ({
        operation,
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters ?? []).map(parameter =>
          '$ref' in parameter ? document.components.parameters[nameOf(parameter.$ref)]! : parameter,
        ),
      })),
  );
}

async function compileSchemas(document: Document, entries: readonly Entry[]): Promise<string> {
  const definitions: Record<string, Schema> = {};
  const add = (schema: unknown) => {
    for (const name of refsIn(schema)) {
      if (definitions[name] !== undefined) continue;
      definitions[name] = document.components.schemas[name]!;
      add(definitions[name]);
    }
  };
  for (const entry of entries) {
    for (const place of ['path', 'query'] as const) {
      const schema = parametersSchema(entry, place);
      if (schema === null) continue;
      definitions[parametersName(entry, place)] = schema;
      add(schema);
    }
    add([entry.operation.requestBody, answerOf(entry.operation)]);
  }
  add(ERRORS.map(name => ({ $ref: `#/components/schemas/${name}` })));
  const text = JSON.stringify({ definitions }).replaceAll('#/components/schemas/', '#/definitions/');
  const options = { bannerComment: '', format: false, unknownAny: true, additionalProperties: false, maxItems: 2 };
  const compiled = await compile(JSON.parse(text) as JSONSchema, 'Root', { ...options, unreachableDefinitions: true });
  return tidied(compiled);
}

/**
 * Removes the root type, which only carried the definitions, and its comment. Makes the types read-only, as everything that crosses the
 * wire is.
 */
function tidied(types: string): string {
  return types
    .replace(/^export interface Root \{[^}]*\}\n/m, '')
    .replace(
      /( \* ?\n)? \* This interface was referenced by `Root`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g,
      '',
    )
    .replace(/^ *\/\*\*\n *\*\/\n/gm, '')
    .replace(/^( *)\/\*\*\n *\* (.*)\n *\*\/\n/gm, '$1/** $2 */\n')
    .replace(/^( *)(["\w-]+\??: )/gm, '$1readonly $2')
    .replace(/: (\w+|\(.*\))\[\](;?)$/gm, ': readonly $1[]$2');
}

function parametersSchema({ parameters }: Entry, place: Parameter['in']): Schema | null {
  const own = parameters.filter(parameter => parameter.in === place);
  if (own.length === 0) return null;
  return {
    type: 'object',
    additionalProperties: false,
    required: own.filter(parameter => parameter.required === true).map(parameter => parameter.name),
    properties: Object.fromEntries(own.map(({ name, schema, description }) => [name, described(schema, description)])),
  };
}

/** Adds a description to a schema, but not to a reference: a description beside a reference would make a copy of the referenced type. */
function described(schema: Schema, description: string | undefined): Schema {
  if (description === undefined) return schema;
  return '$ref' in schema ? { description, allOf: [schema] } : { ...schema, description };
}

function operationsType(entries: readonly Entry[]): string {
  const members = entries.map(entry => {
    const { operation } = entry;
    const parts = (['path', 'query'] as const)
      .filter(place => parametersSchema(entry, place) !== null)
      .map(place => `readonly ${place === 'path' ? 'pathParameters' : 'query'}: ${parametersName(entry, place)}`);
    if (operation.requestBody !== undefined) parts.push(`readonly body: ${typeName(operation.requestBody)}`);
    const taken = parts.length === 0 ? '' : `, { ${parts.join('; ')} }`;
    return `/** ${operation.summary} */
    readonly ${operation.operationId}: Operation<'${operation.operationId}', ${typeName(answerOf(operation))}${taken}>;`;
  });
  return `interface Parts { readonly pathParameters: undefined; readonly query: undefined; readonly body: undefined }
  /** The request and the answer of an operation; \`undefined\` where it takes nothing. */
  type Operation<Id extends keyof typeof OPERATIONS, Answer, Taken = object> = Omit<Parts, keyof Taken> & Taken & {
    readonly method: (typeof OPERATIONS)[Id]['method'];
    readonly path: (typeof OPERATIONS)[Id]['path'];
    readonly answer: Answer;
    /** It needs an \`Idempotency-Key\` and may have an \`SVC-Not-After-Millis\`. */
    readonly isIdempotent: (typeof OPERATIONS)[Id]['needsIdempotencyKey'];
  };

  export interface Operations { ${members.join('\n')} }`;
}

function operationsTable(entries: readonly Entry[]): string {
  const members = entries.map(entry => {
    const { operation, method, path } = entry;
    const key = needsIdempotencyKey(entry);
    return `${operation.operationId}: { method: '${method}', path: '${path}', needsIdempotencyKey: ${key}, auth: '${authOf(operation)}' },`;
  });
  return `/** How each operation is asked for: \`signed\` with the signing headers, \`apiKey\` with \`x-api-key\`, \`open\` by anyone. */
  export const OPERATIONS = { ${members.join('\n')} } as const;\n`;
}

/** Returns the JSON of the only successful answer. */
function answerOf({ operationId, responses }: Operation): Content {
  const [answer, ...more] = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  if (answer === undefined || more.length > 0) throw new Error(`${operationId}: must have one successful answer`);
  return answer[1];
}

export function typeName({ content }: Content): string {
  return nameOf(content!['application/json'].schema.$ref);
}

function needsIdempotencyKey({ parameters }: Entry): boolean {
  return parameters.some(({ name }) => name === 'Idempotency-Key');
}

function authOf({ security }: Operation): string {
  if (security === undefined) return 'signed';
  if (security.length === 0) return 'open';
  return 'apiKey' in security[0]! ? 'apiKey' : 'signed';
}

function parametersName({ operation: { operationId } }: Entry, place: 'path' | 'query'): string {
  const pascal = operationId.charAt(0).toUpperCase() + operationId.slice(1);
  return pascal + (place === 'path' ? 'Path' : 'Query');
}

function refsIn(value: unknown): string[] {
  return [...JSON.stringify(value ?? null).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    match => match[1]!,
  );
}

export function nameOf(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

function formatted(text: string): string {
  const biome = join(ROOT, 'node_modules/.bin/biome');
  return execFileSync(biome, ['format', '--stdin-file-path', API_TYPES_PATH], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  });
}

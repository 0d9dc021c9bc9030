// The contract as it is served (/v1/openapi.json, /v1/asyncapi.json): proto/*.yaml, read once at start and turned into JSON
// text. The only importer of the YAML parser. Main thread, before it listens.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Scope } from '../../domain/identity.ts';

export type ContractMethod = 'GET' | 'POST' | 'DELETE';

/** Who may ask: a signing key, an API key, a stream ticket; none of them for what is open to everybody. */
export type Credential = 'signed' | 'apiKey' | 'ticket';

/** One operation of the REST contract. */
export interface ContractOperation {
  readonly operationId: string;
  readonly method: ContractMethod;
  /** With `{parameters}` in braces. */
  readonly path: string;
  /** What the signing key must hold; `none`: any live key, or no signing key at all. */
  readonly scope: Scope | 'none';
  /** The limit of a key that counts the request; `none` where no key is asked for. */
  readonly bucket: 'reads' | 'submissions' | 'cancels' | 'none';
  /** Any one of these is enough; empty: open to everybody. */
  readonly credentials: readonly Credential[];
}

export interface ContractDocuments {
  /** JSON text. */
  readonly openapi: string;
  /** JSON text. */
  readonly asyncapi: string;
  readonly operations: readonly ContractOperation[];
}

interface OpenApiOperation {
  readonly operationId: string;
  readonly security?: readonly SecurityRequirement[];
  readonly 'x-crossbook-scope': ContractOperation['scope'];
  readonly 'x-crossbook-bucket': ContractOperation['bucket'];
}

type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

interface OpenApi {
  readonly security: readonly SecurityRequirement[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
}

/** Throws if a file is missing or is no YAML: such an installation must not start. That they are what they should be is tested. */
export function contractDocuments(): ContractDocuments {
  const openapi = readDocument('openapi.yaml') as OpenApi;
  const asyncapi = readDocument('asyncapi.yaml');
  return { openapi: JSON.stringify(openapi), asyncapi: JSON.stringify(asyncapi), operations: operationsOf(openapi) };
}

function readDocument(name: string): unknown {
  return parse(readFileSync(new URL(`../../../proto/${name}`, import.meta.url), 'utf8'));
}

function operationsOf({ security, paths }: OpenApi): ContractOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operationId: operation.operationId,
      method: method.toUpperCase() as ContractMethod,
      path,
      scope: operation['x-crossbook-scope'],
      bucket: operation['x-crossbook-bucket'],
      credentials: (operation.security ?? security).map(credentialOf),
    })),
  );
}

/** The four signing headers are one credential. */
function credentialOf(requirement: SecurityRequirement): Credential {
  if ('apiKey' in requirement) return 'apiKey';
  return 'ticket' in requirement ? 'ticket' : 'signed';
}

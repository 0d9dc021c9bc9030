// The operations of the REST contract, as its OpenAPI document has them.

import type { Scope } from '../../src/core/domain/identity.ts';

type ContractMethod = 'GET' | 'POST' | 'DELETE';

/** Who may ask: a signing key, an API key, a stream ticket; none of them for what is open to everybody. */
type Credential = 'signed' | 'apiKey' | 'ticket';

/** One operation of the REST contract. */
export interface ContractOperation {
  readonly operationId: string;
  readonly method: ContractMethod;
  /** With `{parameters}` in braces. */
  readonly path: string;
  /** The scope that the signing key must hold; `none`: any live key, or no signing key at all. */
  readonly scope: Scope | 'none';
  /** The limit of a key that counts the request; `none` where no key is asked for. */
  readonly bucket: 'reads' | 'submissions' | 'cancels' | 'none';
  /** Any one of these is enough; empty: open to everybody. */
  readonly credentials: readonly Credential[];
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

/** `text`: the document, as JSON. */
export function contractOperations(text: string): ContractOperation[] {
  const { security, paths } = JSON.parse(text) as OpenApi;
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

// The operations of the REST contract, as its OpenAPI document has them.

import type { Scope } from '../../src/core/domain/identity.ts';

type ContractMethod = 'GET' | 'POST' | 'DELETE';

/** The ways to prove who asks: a signing key, an API key, or a stream ticket. An operation without a credential is open to everybody. */
type Credential = 'signed' | 'apiKey' | 'ticket';

/** One operation of the REST contract. */
export interface ContractOperation {
  readonly operationId: string;
  readonly method: ContractMethod;
  /** The path, with `{parameters}` in braces. */
  readonly path: string;
  /** The scope that the signing key must hold. `none` means any live key, or no signing key at all. */
  readonly scope: Scope | 'none';
  /** The limit of a key against which the request counts. `none` means that the operation asks for no key. */
  readonly bucket: 'reads' | 'submissions' | 'cancels' | 'none';
  /** The credentials, any one of which is enough. An empty list means that the operation is open to everybody. */
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

/** Reads the operations from `text`, the document as JSON. */
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

/** Returns the credential of a requirement. The four signing headers are one credential. */
function credentialOf(requirement: SecurityRequirement): Credential {
  if ('apiKey' in requirement) return 'apiKey';
  return 'ticket' in requirement ? 'ticket' : 'signed';
}

// Found by reading: a page of an origin in CROSSBOOK_CORS_ORIGINS could not read `SVC-Pod-Owner`, nor `SVC-Venue-Budget`. So the client in a
// browser never followed its pod to another gateway. Now a page may read every header of an answer that the contract names.

import { expect, it } from 'vitest';
import { isObject } from '../../src/domain/json.ts';
import { contractDocuments } from '../../src/gateway/api/contract-documents.ts';
import { Cors } from '../../src/gateway/api/cors.ts';
import { bareRequest } from '../../src/net/inbound-request.ts';

const ORIGIN = 'https://desk.example';
/** Any page may read the first (the Fetch standard, CORS-safelisted response-header name). No page gets the headers of an upgrade. */
const NEEDLESS = ['Cache-Control', 'Sec-WebSocket-Protocol'];

it('a page of an origin in the setting may read every header of an answer in the contract', () => {
  const request = { ...bareRequest('GET', '/v1/whoami'), header: (name: string) => (name === 'origin' ? ORIGIN : '') };
  const exposed = new Cors([ORIGIN]).headersFor(request).find(([name]) => name === 'Access-Control-Expose-Headers');
  const { paths, components } = JSON.parse(contractDocuments().openapi);
  const named = new Set([...headersOf(paths), ...headersOf(components.responses)]);
  for (const name of NEEDLESS) named.delete(name);
  expect(exposed?.[1].split(', ').toSorted()).toEqual([...named].toSorted());
});

/** Names of the headers of answers, at any depth. */
function headersOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'headers' && isObject(part) ? Object.keys(part) : headersOf(part),
  );
}

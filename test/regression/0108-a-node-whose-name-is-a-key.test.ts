// Found by review: the answer to a read of the balance said why a node of the chain cannot be reached, and named its host. The host's name
// may contain the operator's key; the address is a secret (`rpcUrlFile`).

import { expect, it } from 'vitest';
import type { OutboundOutcome } from '../../src/net/outbound.ts';
import { unconvertedReader } from '../../src/venues/venue-a/trading/unconverted.ts';

it.each<[OutboundOutcome, error: string]>([
  [{ type: 'not-sent', message: 'getaddrinfo ENOTFOUND a-key.rpc.example' }, 'no connection to the node'],
  [
    { type: 'lost', message: "Host: a-key.rpc.example. is not in the cert's altnames" },
    'the connection to the node broke',
  ],
  [{ type: 'timeout', message: 'no answer within 5000 ms' }, 'no answer of the node in time'],
])('%j', async (outcome, error) => {
  const outbound = {
    request: () => Promise.resolve(outcome),
    warmUp: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const read = unconvertedReader({ outbound, target: '/', now: () => 0 });
  expect(await read(`0x${'ab'.repeat(20)}`)).toEqual({ ok: false, error: `USDC.e: ${error}` });
});

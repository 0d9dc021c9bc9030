// Connections to a venue that a test answers by a function.

import type { OutboundPool } from '../../src/core/net/outbound.ts';

export function outboundBy(request: OutboundPool['request']): OutboundPool {
  return {
    request,
    send: (asked, timeoutMs, done) => void request(asked, timeoutMs).then(done),
    warmUp: async () => {},
    close: async () => {},
  };
}

// With live-paper nothing reaches an order route of a real venue, and nothing matches against a book that is not known.

import type { Mutant } from './mutants.ts';

const ALLOW_LIST = 'test/core/net/read-only-hosts.test.ts';
const HOUSE = 'test/paper/live/live-house.test.ts';

export const LIVE_PAPER: readonly Mutant[] = [
  {
    name: 'any method leaves for a real venue',
    file: 'src/core/net/read-only-hosts.ts',
    search: "method === 'GET' && readable",
    replace: 'method.length > 0 && readable',
    tests: [ALLOW_LIST],
  },
  {
    name: 'a host that is not listed may be asked',
    file: 'src/core/net/read-only-hosts.ts',
    search: 'if (isLoopback(to.hostname) && !isStreamHost(hosts, to)) return null;',
    replace: 'if (!isStreamHost(hosts, to)) return null;',
    tests: [ALLOW_LIST],
  },
  {
    name: 'the pool does not ask the list',
    file: 'src/core/net/outbound-pool.ts',
    search: 'this.#gate === null ? null : this.#gate(request)',
    replace: 'null',
    tests: [ALLOW_LIST],
  },
  {
    name: 'a STALE book goes on matching',
    file: 'src/paper/live/live-house.ts',
    search: "else if (state !== 'LIVE') book.halt();",
    replace: "else if (state !== 'LIVE') book.resume();",
    tests: [HOUSE],
  },
  {
    name: 'a book with a gap goes on matching',
    file: 'src/paper/live/live-house.ts',
    search: 'followed.own.mirrored.book.markUnknown();',
    replace: '',
    tests: [HOUSE],
  },
];

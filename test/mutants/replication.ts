// Of a pod whose journal is a stream: what keeps a former owner from sending.

export const REPLICATION = [
  {
    name: 'an order is sent though the pod’s stream has not acknowledged it',
    file: 'src/orders/submit.ts',
    search: 'fault === null ? await route(parts, sent)',
    replace: 'fault !== undefined ? await route(parts, sent)',
    tests: ['test/trading/replicated.test.ts'],
  },
  {
    name: 'a record in flight does not expect the one ahead of it',
    file: 'src/journal/replicated-log.ts',
    search: 'lastId: isBehind ? this.#idOf(sequence - 1) : null',
    replace: 'lastId: null',
    tests: ['test/journal/replicated-log.test.ts'],
  },
  {
    name: 'the id of a record does not name its owner',
    file: 'src/journal/replicated-log.ts',
    search: 'sequence, this.#parts.term]',
    replace: 'sequence]',
    tests: ['test/journal/replicated-log.test.ts'],
  },
];

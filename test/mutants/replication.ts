// Mutants of the modes that wait for more than the page cache, and of a pod whose journal is a stream. They change what keeps a former
// owner from sending.

export const REPLICATION = [
  {
    name: 'a caller waits for a disk that hangs',
    file: 'src/orders/record-fault.ts',
    search: 'timers.after(waitMs, () =>',
    replace: 'timers.after(60 * waitMs, () =>',
    tests: ['test/orders/record-fault.test.ts'],
  },
  {
    name: 'the power-safe mode does not wait for the disk',
    file: 'src/ledger/engine-store.ts',
    search: "this.#mode === 'process-safe' ? null",
    replace: "this.#mode !== 'replicated' ? null",
    tests: ['test/orders/power-safe.test.ts'],
  },
  {
    name: 'an order is sent though the pod’s stream has not acknowledged it',
    file: 'src/orders/route.ts',
    search: 'if (fault !== null) return all(',
    replace: 'if (fault === undefined) return all(',
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
  {
    name: 'a standby counts silence while NATS is cut off',
    file: 'src/engine/lease.ts',
    search: '    link.onChange(renew),\n',
    replace: '',
    tests: ['test/engine/lease.test.ts'],
  },
  {
    name: 'a former owner sends a cancel without a look at the stream',
    file: 'src/journal/replicated-log.ts',
    search: 'isKept && this.#isProven ? null',
    replace: 'isKept ? null',
    tests: ['test/journal/cancel-fence.test.ts'],
  },
  {
    name: 'an acknowledgement that is read late proves that the pod is ours now',
    file: 'src/journal/replicated-log.ts',
    search: 'Math.max(this.#provenAt, first.publishedAt)',
    replace: 'this.#now()',
    tests: ['test/journal/cancel-fence.test.ts'],
  },
  {
    name: 'a segment of the journal is removed one record early',
    file: 'src/journal/journal.ts',
    search: 'next.first > before ||',
    replace: 'next.first > before + 1 ||',
    tests: ['test/journal/journal.test.ts'],
  },
];

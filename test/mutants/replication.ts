// Mutants of the modes that wait for more than the page cache, and of a pod whose journal is a stream. They change what keeps a former
// owner from sending.

export const REPLICATION = [
  {
    name: 'a caller waits for a disk that hangs',
    file: 'src/orders/life/record-fault.ts',
    search: 'timers.after(waitMs, () =>',
    replace: 'timers.after(60 * waitMs, () =>',
    tests: ['test/orders/life/record-fault.test.ts'],
  },
  {
    name: 'the power-safe mode does not wait for the disk',
    file: 'src/orders/ledger/engine-store.ts',
    search: "this.#mode === 'process-safe' ? null",
    replace: "this.#mode !== 'replicated' ? null",
    tests: ['test/orders/life/power-safe.test.ts'],
  },
  {
    name: 'an order is sent though the pod’s stream has not acknowledged it',
    file: 'src/orders/life/submit.ts',
    search: 'if (fault !== null) return { type:',
    replace: 'if (fault === undefined) return { type:',
    tests: ['test/gateway/trading/replicated.test.ts'],
  },
  {
    name: 'a record in flight does not expect the one ahead of it',
    file: 'src/orders/journal/replicated-log.ts',
    search: 'lastId: isBehind ? this.#idOf(sequence - 1) : null',
    replace: 'lastId: null',
    tests: ['test/orders/journal/replicated-log.test.ts'],
  },
  {
    name: 'the id of a record does not name its owner',
    file: 'src/orders/journal/replicated-log.ts',
    search: 'sequence, this.#parts.term]',
    replace: 'sequence]',
    tests: ['test/orders/journal/replicated-log.test.ts'],
  },
  {
    name: 'a standby counts silence while NATS is cut off',
    file: 'src/orders/engine/lease.ts',
    search: '    link.onChange(renew),\n',
    replace: '',
    tests: ['test/orders/engine/lease.test.ts'],
  },
  {
    name: 'a former owner sends a cancel without a look at the stream',
    file: 'src/orders/journal/replicated-log.ts',
    search: 'isKept && this.#isProven ? null',
    replace: 'isKept ? null',
    tests: ['test/orders/journal/cancel-fence.test.ts'],
  },
  {
    name: 'an acknowledgement that is read late proves that the pod is ours now',
    file: 'src/orders/journal/replicated-log.ts',
    search: 'Math.max(this.#provenAt, first.publishedAt)',
    replace: 'this.#now()',
    tests: ['test/orders/journal/cancel-fence.test.ts'],
  },
  {
    name: 'a segment of the journal is removed one record early',
    file: 'src/orders/journal/journal.ts',
    search: 'next.first > before ||',
    replace: 'next.first > before + 1 ||',
    tests: ['test/orders/journal/journal.test.ts'],
  },
];

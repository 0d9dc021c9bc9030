// Changed lines that count the queue ahead of an order: arrival, trades, cancels, and what own orders took.

const QUEUE_LEVEL = { file: 'src/gateway/stream/queue-level.ts', tests: ['test/gateway/stream/queue-level.test.ts'] };

export const QUEUES = [
  {
    ...QUEUE_LEVEL,
    name: 'a trade at its price takes nothing from the queue ahead of an order',
    search: 'span.high -= shrunk - paid;',
    replace: '',
  },
  {
    ...QUEUE_LEVEL,
    name: 'all cancels were behind the order',
    search: 'if (!isOwn) span.low -= by - traded;',
    replace: '',
  },
  {
    ...QUEUE_LEVEL,
    name: 'an order comes before the displayed size',
    search: 'spanOf(before, before + by - this.rest, pending)',
    replace: 'spanOf(0, by - this.rest, pending)',
  },
  {
    ...QUEUE_LEVEL,
    name: 'what an own order took is still ahead of the next one',
    search: 'this.#taken += by;',
    replace: '',
  },
  {
    ...QUEUE_LEVEL,
    name: 'more may be ahead of an order than is displayed',
    search: 'if (span.high > limit) {',
    replace: 'if (span.high < limit) {',
  },
  {
    name: 'a trade that the book has shown before reaches no order ahead of another',
    file: 'src/paper/flow/displayed-level.ts',
    search: 'draft.restore(part.behind, explained);',
    replace: '',
    tests: ['test/paper/flow/displayed-level.test.ts'],
  },
];

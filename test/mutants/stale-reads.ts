// Changed lines that hold off what is older than the news: books, reads and lists.

export const NOTHING_STALE = [
  {
    name: 'a change of keys returns while requests still go by the keys before it',
    file: 'src/core/store/key-store.ts',
    search: 'limits.keyLookMs + 1);',
    replace: '0);',
    tests: ['test/core/store/key-store.test.ts'],
  },
  {
    name: 'the levels of a book that is not live are prices',
    file: 'src/market-data/book/live-books.ts',
    search: '|| copy.state !== LIVE) return null;',
    replace: ') return null;',
    tests: ['test/market-data/book/live-books.test.ts'],
  },
  {
    name: 'venue B’s reads count as current however old they are',
    file: 'src/venues/venue-b/trading/look-up.ts',
    search: '+ limits.venueBReadMarginMs)',
    replace: '- 3_600_000)',
    tests: ['test/venues/venue-b/trading/look-up.test.ts'],
  },
  {
    name: 'an order that rests is over by a read from before it was heard of',
    file: 'src/venues/venue-b/trading/look-up.ts',
    search: "return status === 'OPEN' ? Math.max(since, updatedAt) : since;",
    replace: 'return since;',
    tests: ['test/orders/life/replacement-chain.test.ts'],
  },
  {
    name: 'an order is absent by a list that is older than it',
    file: 'src/orders/life/reconcile.ts',
    search: 'if (!isCurrent || known.updatedAt >= askedAt) return known;',
    replace: 'if (known.updatedAt >= askedAt) return known;',
    tests: ['test/orders/life/executions.test.ts', 'test/orders/life/given-up.test.ts'],
  },
  {
    name: 'an older list brings an order that is over back into the book',
    file: 'src/orders/life/settle.ts',
    search: '(isGone || !isOver)',
    replace: '(isOver || !isOver)',
    tests: ['test/orders/life/submit.test.ts'],
  },
  {
    name: 'a caller who has his answer gets the venue’s, too',
    file: 'src/orders/life/submit.ts',
    search: 'else if (this.#isAnswered) this.#late?.resolve();',
    replace: '',
    tests: ['test/orders/life/given-up.test.ts'],
  },
  {
    name: 'an order that venue A does not know is over, since its cancel was confirmed',
    file: 'src/venues/venue-a/trading/look-up.ts',
    search: "said === null && end === 'cancelled'",
    replace: "end === 'cancelled'",
    tests: ['test/venues/venue-a/trading/look-up-trades.test.ts'],
  },
  {
    name: 'a matched order is over, though its trade has failed since',
    file: 'src/venues/venue-a/trading/look-up.ts',
    search: '(isShown(said) && !isDoubtful)',
    replace: 'isShown(said)',
    tests: ['test/venues/venue-a/trading/look-up-trades.test.ts'],
  },
  {
    name: 'an older report of a failed trade ends an order that rests again',
    file: 'src/orders/life/ledger-entry.ts',
    search: 'return !hasCome(updatedAt',
    replace: 'return hasCome(updatedAt',
    tests: ['test/orders/life/failed-settlement.test.ts'],
  },
];

// Mutants of orders that have replaced each other in place: each fill is booked to the one that it belongs to.

export const REPLACED = [
  {
    name: 'a changed order of which nothing rests is filled',
    file: 'src/orders/life/replace.ts',
    search: 'if (remaining === 0) return',
    replace: 'if (remaining === -1) return',
    tests: ['test/orders/life/replace.test.ts'],
  },
  {
    name: 'a fill without a name is booked to the old order while an amendment is unknown',
    file: 'src/orders/life/orphan-fills.ts',
    search: 'if (ownerId !== null && !mayBeOfAnother) return false;',
    replace: 'if (ownerId !== null) return false;',
    tests: ['test/orders/life/replacement-chain.test.ts'],
  },
  {
    name: 'a look-up books to the old order what it finds of the one in its place',
    file: 'src/orders/life/evidence.ts',
    search: '(isTakingPlace ? null : orderOfTrace(reads, account, fill))',
    replace: 'orderOfTrace(reads, account, fill)',
    tests: ['test/orders/life/replacement-chain.test.ts'],
  },
  {
    name: 'an amendment that was given up is looked up by its name alone',
    file: 'src/orders/life/replacement-chain.ts',
    search: 'order.venueOrderId ?? predecessorOf(reads, order)?.venueOrderId ?? null',
    replace: 'order.venueOrderId',
    tests: ['test/orders/life/replacement-chain.test.ts'],
  },
];

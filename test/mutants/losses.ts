// Changed lines of the totals of owners and of loss limits, each of which would hide a loss.

export const LOSSES = [
  {
    name: 'a start forgets what closed positions have realized',
    file: 'src/orders/ledger/state/position-table.ts',
    search: '    this.#count(owner, null, position);\n',
    replace: '    if (!isClosed({ position })) this.#count(owner, null, position);\n',
    tests: ['test/orders/ledger/state/position-table.test.ts'],
  },
  {
    name: 'a step that is undone stays in the totals',
    file: 'src/orders/ledger/state/position-table.ts',
    search: 'this.#undo.note(putBack, this.#totals, owner, venue, counted);',
    replace: '',
    tests: ['test/orders/ledger/state/position-table.test.ts'],
  },
  {
    name: 'a loss limit is not looked at as an order is recorded',
    file: 'src/orders/life/intents.ts',
    search: 'parts.lossHalt(reads, submission, sizeOf(submission), 0) ??',
    replace: '',
    tests: ['test/orders/life/loss-limits.test.ts'],
  },
  {
    name: 'an order leaves though its loss limit was reached since its record',
    file: 'src/orders/life/halts.ts',
    search: ' ?? lossHalt(store, submission, COUNTED, order.createdAt);',
    replace: ';',
    tests: ['test/orders/life/loss-limits.test.ts'],
  },
  {
    name: 'a loss limit forgets fees',
    file: 'src/orders/life/profits.ts',
    search: 'profit += realized - exactOf(fees);',
    replace: 'profit += realized;',
    tests: ['test/orders/life/loss-limits.test.ts'],
  },
  {
    name: 'a loss limit counts a price that is not known as no loss',
    file: 'src/orders/life/profits.ts',
    search: ': bounded(last, bid, ask);',
    replace: ': NO_PRICES;',
    tests: ['test/orders/life/loss-limits.test.ts'],
  },
  {
    name: 'a loss limit counts the last price of a book that buyers have left',
    file: 'src/orders/life/profits.ts',
    search: 'return isWithin ? last :',
    replace: 'return middle !== null ? last :',
    tests: ['test/orders/life/loss-limits.test.ts'],
  },
  {
    name: 'an order that closes more than is held passes a loss limit',
    file: 'src/orders/life/loss-limits.ts',
    search: 'direction * held < 0 && holds.growth(direction) + size <= Math.abs(held);',
    replace: 'direction * held < 0;',
    tests: ['test/orders/life/loss-limits.test.ts'],
  },
  {
    name: 'a restart before the record of a reached loss limit lets orders pass',
    file: 'src/orders/life/loss-limits.ts',
    search: '    this.#unlessItFails(() => this.#evaluate());\n    this.#lookLater();',
    replace: '    this.#lookLater();',
    tests: ['test/orders/life/loss-limits.test.ts'],
  },
];

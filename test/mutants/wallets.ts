// Changed lines of the actions of wallets, each of which would pay twice, or book what nobody was paid.

export const WALLETS = [
  {
    name: 'the bytes of an action leave before the disk has their record',
    file: 'src/orders/life/wallet-queue.ts',
    search: 'if (!(await ledger.isOnDisk(timers))) {',
    replace: 'if (!(await ledger.lasts(timers))) {',
    tests: ['test/orders/life/wallet-queue.test.ts'],
  },
  {
    name: 'a STOP that comes while the disk is waited for lets the bytes of an action leave',
    file: 'src/orders/life/wallet-queue.ts',
    search: 'if (this.#isEnding || stopProblem(action) !== null) return pauseMs;',
    replace: '',
    tests: ['test/orders/life/wallet-queue.test.ts'],
  },
  {
    name: 'redeems without a request pass the bound of their day',
    file: 'src/orders/life/redeem-bounds.ts',
    search: "if (isForgotten || sum > bounds.day) return 'over-day';",
    replace: "if (isForgotten) return 'over-day';",
    tests: ['test/orders/life/redeem-bounds.test.ts'],
  },
  {
    name: 'a redeem without a request goes on without its owner’s STOP',
    file: 'src/orders/life/auto-redeem.ts',
    search: 'if (!made.ok || stopProblem(made.value) !== null) return null;',
    replace: 'if (!made.ok) return null;',
    tests: ['test/orders/life/auto-redeem.test.ts'],
  },
  {
    name: 'a refusal after a lost answer ends an action',
    file: 'src/orders/life/wallet-queue.ts',
    search: "return this.#untaken.has(actionId) ? this.#fail(action, 'VENUE_REJECTED', outcome.message) : pauseMs;",
    replace: "return this.#fail(action, 'VENUE_REJECTED', outcome.message);",
    tests: ['test/orders/life/wallet-queue.test.ts'],
  },
  {
    name: 'a used nonce confirms an action of which one balance shows nothing',
    file: 'src/orders/life/wallet-bookings.ts',
    search: 'if (isSettled && unchanged.length === 0) return true;',
    replace: 'if (isSettled) return true;',
    tests: ['test/orders/life/wallet-queue.test.ts'],
  },
  {
    name: 'a trade that fails after a redeem of a part takes the rest of the winners',
    file: 'src/orders/life/wallet-bookings.ts',
    search: 'transaction.addBooked(actorId, { fillId: null, ...movement, before });',
    replace: '',
    tests: ['test/orders/life/wallet-bookings.test.ts'],
  },
];

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
    search: 'transaction.addBooked(actorId, { fillId: null, ...movement, before: position });',
    replace: '',
    tests: ['test/orders/life/wallet-bookings.test.ts'],
  },
];

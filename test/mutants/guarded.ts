// Changed lines of the guard, which cancels while the engine does not answer, and of what the engine learns from it.

export const GUARDED = [
  {
    name: 'the guard cancels an order by the path of the other venue',
    file: 'src/orders/guard/guard.ts',
    search: ' && order.request.venue === venue;',
    replace: ';',
    tests: ['test/orders/guard/guard-alone.test.ts'],
  },
  {
    name: 'a switch that the guard fires cancels orders made after its deadline',
    file: 'src/orders/guard/guard.ts',
    search: 'madeBy: deadline',
    replace: 'madeBy: null',
    tests: ['test/orders/guard/guard-alone.test.ts'],
  },
  {
    name: 'the guard leaves the cancels that the engine had begun',
    file: 'src/orders/guard/guard.ts',
    search: 'if (!this.#isFinishing) void this.#finishCancels();',
    replace: '',
    tests: ['test/orders/guard/guard-alone.test.ts'],
  },
  {
    name: 'the guard forgets a switch that was set anew',
    file: 'src/orders/guard/guard-state.ts',
    search: 'if (this.#armed.get(keyId)?.deadline === deadline) ',
    replace: '',
    tests: ['test/orders/guard/guard-alone.test.ts'],
  },
  {
    name: 'a later request gives the reason of a cancel that the guard made',
    file: 'src/orders/life/guarded-ends.ts',
    search: '|| at < known.cancelRequestedAt',
    replace: '',
    tests: ['test/orders/life/guarded-ends.test.ts'],
  },
  {
    name: 'a pool that dials while look-ups of names hang waits for them',
    file: 'src/core/net/name-memory.ts',
    search: 'isKnown ? RESOLVE_MS : limits.outboundConnectMs',
    replace: 'limits.outboundConnectMs',
    tests: ['test/core/net/name-memory.test.ts'],
  },
];

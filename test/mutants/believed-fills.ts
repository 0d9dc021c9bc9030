// The fill model of the paper exchanges: where a bot would look better than it is.

import type { Mutant } from './mutants.ts';

const FILE = 'src/paper/flow/displayed-level.ts';
const TESTS = ['test/paper/flow/displayed-level.test.ts'];

export const BELIEVED_FILLS: readonly Mutant[] = [
  {
    name: 'a trade that the book showed before counts a second time',
    file: FILE,
    search: 'unexplained -= explained;',
    replace: '',
    tests: TESTS,
  },
  {
    name: 'a shrink before an order came counts for it',
    file: FILE,
    search: 'const index = this.#callers.findIndex(({ place }) => place > behind);',
    replace: 'const index: number = -1;',
    tests: TESTS,
  },
  {
    name: 'a shrink whose trade may still come counts as a cancel',
    file: FILE,
    search: 'atMs - since.atMs > limits.paperTradeWaitMs',
    replace: 'atMs - since.atMs > 0',
    tests: TESTS,
  },
  {
    name: 'what better prices have met fills once more',
    file: FILE,
    search: 'draft.trade(size - absorbed);',
    replace: 'draft.trade(size);',
    tests: TESTS,
  },
  {
    name: 'the book displays anew what an order has met that still rests there',
    file: 'src/paper/flow/house-book.ts',
    search: 'atMs, this.#crossesCaller(side, price)',
    replace: 'atMs, false',
    tests: ['test/paper/flow/recorded-liquidity.test.ts'],
  },
];

// Changed lines that hold two markets apart whose rules may differ.

export const ONE_MARKET = [
  {
    name: 'the match for third place is one market of who advances',
    file: 'src/catalog/matching/venue-b-games.ts',
    search: "if (confirmed !== 'advances') return null;",
    replace: '',
    tests: ['test/catalog/matching/venue-b-games.test.ts'],
  },
  {
    name: 'a question that may end in a tie is one market',
    file: 'src/catalog/matching/outrights.ts',
    search: 'if (SUPERLATIVE.test(text) && comparisonOf(text) === null)',
    replace: 'if (false)',
    tests: ['test/catalog/matching/outrights.test.ts'],
  },
  {
    name: 'a first half is the whole game',
    file: 'src/catalog/matching/game.ts',
    search: "return rest === text ? 'game' : 'first-half';",
    replace: "return 'game';",
    tests: ['test/catalog/matching/venue-b-games.test.ts'],
  },
  {
    name: 'a part of a name is a club where another one has it',
    file: 'src/catalog/leagues/team-table.ts',
    search: 'if (part.size === 1 && !this.#isIncomplete)',
    replace: 'if (part.size > 0)',
    tests: ['test/catalog/leagues/team-table.test.ts'],
  },
];

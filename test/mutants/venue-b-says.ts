// Mutants of what venue B says and keeps: its archive, its refusals, the books that its stream has frozen.

export const VENUE_B_SAYS = [
  {
    name: 'a book that the stream has frozen stays LIVE',
    file: 'src/venues/venue-b/freeze-probe.ts',
    search: 'return isSame === false ? [market] : [];',
    replace: 'return [];',
    tests: ['test/venues/venue-b/freeze-probe.test.ts'],
  },
  {
    name: 'a location that is not attested counts as bad credentials',
    file: 'src/venues/venue-b/trading/refusals.ts',
    search: 'return status === HTTP_FORBIDDEN && OF_THE_KEY',
    replace: 'return status === HTTP_FORBIDDEN || OF_THE_KEY',
    tests: ['test/venues/venue-b/trading/refusals.test.ts'],
  },
  {
    name: 'an archived order of venue B counts as absent',
    file: 'src/venues/venue-b/trading/look-up.ts',
    search: 'const archived = await findArchived(rest, order, intent, deadline);',
    replace: 'const archived = null as Sought;',
    tests: ['test/venues/venue-b/trading/archive.test.ts'],
  },
  {
    name: 'archived fills of an order are left out',
    file: 'src/venues/venue-b/trading/look-up.ts',
    search: 'if (sumOf(listed.rows).size >= filled) return ok(listed);',
    replace: 'if (sumOf(listed.rows).size >= 0) return ok(listed);',
    tests: ['test/venues/venue-b/trading/archive.test.ts'],
  },
];

// Each kind of divergence has a row in docs/OPERATIONS.md that says what to do.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LABEL_VALUES } from '../../src/core/metrics/metric-table.ts';

it('every divergence has one row', () => {
  const [, table = ''] = readFileSync('docs/OPERATIONS.md', 'utf8').split(
    '| divergence | what happened | what to do |\n',
  );
  const rows = table.slice(0, table.indexOf('\n\n'));
  const reported = [...rows.matchAll(/^\| ([^|]+) \|/gm)].flatMap(
    ([, cell]) => cell!.match(/(?<=`)[a-z-]+(?=`)/g) ?? [],
  );
  expect(reported.toSorted()).toEqual(LABEL_VALUES.divergence.toSorted());
});

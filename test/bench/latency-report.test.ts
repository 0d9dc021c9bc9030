// The table and the picture of orders under load, from their rows.

import { expect, it } from 'vitest';
import { latencySection } from '../../bench/latency-report.ts';
import { textTable } from '../../bench/report.ts';

const row = (name: string, value: number) => ({ name, value, unit: 'µs', baseline: '', ratio: null });

it('the table has a line for each distribution, and what is known of it', () => {
  const section = latencySection([
    row('order/under-load@1000 added p50', 100),
    row('order/under-load@1000 direct p50', 50),
    row('order/under-load@1000 added p99.9', 3_000),
    row('order/under-load@1000 store max', 7),
    row('order/under-load held', 1_234),
    row('order/submit-added venue-b p50', 9),
  ]);
  const [, table, held] = section!.paragraphs;
  expect(table!.split('\n').slice(2)).toEqual([
    '| 1,000 | added | 100 |  |  | 3,000 |  |',
    '| 1,000 | direct | 50.0 |  |  |  |  |',
    '| 1,000 | store |  |  |  |  | 7.00 |',
  ]);
  expect(held).toContain('1,234 orders/s');
  const { plot } = section!.plots[0]!;
  expect(plot.lines.map(({ points, isDashed }) => ({ points, isDashed }))).toEqual([
    {
      points: [
        [2, 100],
        [1_000, 3_000],
      ],
      isDashed: false,
    },
    { points: [[2, 50]], isDashed: true },
  ]);
});

it('the table says of a rate that was not found that it is less than the lowest that was tried', () => {
  const held = { ...row('order/under-load held', 0), lowest: 200 };
  const section = latencySection([row('order/under-load@1000 added p50', 100), held]);
  expect(section!.paragraphs.at(-1)).toContain(': < 200 orders/s');
  const table = textTable([{ ...held, spreadPercent: null, isEarlier: false }]);
  expect(table).toMatch(/^order\/under-load held +< 200 /m);
});

it('the table is absent without such rows', () => {
  expect(latencySection([row('order/submit-added venue-b p50', 9)])).toBeNull();
});

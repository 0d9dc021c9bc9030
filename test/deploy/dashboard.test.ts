// deploy/dashboard.json: what Grafana needs of it, and each expression as Prometheus reads it.

import { expect, it } from 'vitest';
import { lacks } from '../support/debian-packages.ts';
import { expressionsIn, readDashboard } from './dashboard.ts';
import { promtoolOn } from './promtool.ts';

/** Grafana's variable. */
const DATA_SOURCE = '$' + '{datasource}';

const dashboard = readDashboard();

it('no two panels share an id or a place', () => {
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const taken = new Map<string, string>();
  for (const { title, gridPos } of panels) {
    expect([title, gridPos.x + gridPos.w <= 24]).toEqual([title, true]);
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        expect([title, taken.get(`${x} ${y}`)]).toEqual([title, undefined]);
        taken.set(`${x} ${y}`, title);
      }
    }
  }
});

it('every panel shows something, of the chosen data source and gateway', () => {
  for (const { type, title, description, targets = [], datasource } of dashboard.panels) {
    if (type === 'row') continue;
    expect([title, description]).toEqual([title, expect.stringMatching(/^[A-Z].+\.$/)]);
    expect([title, datasource?.uid]).toEqual([title, DATA_SOURCE]);
    expect(targets.length, title).toBeGreaterThan(0);
    for (const { expr } of targets) expect(expr).toContain('instance=~"$instance"');
  }
});

it.skipIf(lacks('prometheus'))('Prometheus can read every expression', () => {
  const rules = expressionsIn(dashboard).map((expr, index) => ({ record: `panel:${index}`, expr }));
  expect(promtoolOn({ groups: [{ name: 'dashboard', rules }] }, 'check', 'rules')).toBe('');
});

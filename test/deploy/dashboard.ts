// deploy/dashboard.json as data.

import { readFileSync } from 'node:fs';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string }[];
}

interface Dashboard {
  readonly panels: readonly Panel[];
}

export function readDashboard(): Dashboard {
  return JSON.parse(readFileSync('deploy/dashboard.json', 'utf8'));
}

/** With an interval in place of Grafana's variable. */
export function expressionsIn({ panels }: Dashboard): readonly string[] {
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')));
}

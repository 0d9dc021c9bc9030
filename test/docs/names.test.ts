// All that the documents name exists: files, tests, scripts, settings, metrics, limits. Each check also gets a name of nothing, and must find
// it.

import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { protectionLimits } from '../../src/core/domain/protection.ts';
import {
  COUNTERS,
  FEED_COUNTERS,
  GAUGES,
  HISTOGRAMS,
  LABEL_VALUES,
  STREAM_COUNTERS,
} from '../../src/core/metrics/metric-table.ts';
import { BUCKETS } from '../../src/gateway/api/rate-limits.ts';
import { limits } from '../../src/limits.ts';
import { codeIn, DOCUMENTS } from '../support/documents.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: Record<string, string> };
const CONFIG = [
  'src/config.ts',
  'src/core/alerts/alert-settings.ts',
  'src/core/runtime/paper-terms.ts',
  'src/core/nats/settings.ts',
  'src/venues/source-settings.ts',
]
  .map(path => readFileSync(path, 'utf8'))
  .join('');

/** The variables in a bot's environment. */
const FOR_BOTS = readFileSync('src/tools/cli/backtest.ts', 'utf8');

const snake = (name: string): string => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
const METRICS = new Set(
  [
    ...[...Object.keys(COUNTERS), ...Object.keys(GAUGES), ...Object.keys(HISTOGRAMS)],
    ...Object.keys(FEED_COUNTERS).map(name => `feed_${snake(name)}_total`),
    ...Object.keys(STREAM_COUNTERS).map(name => `stream_${snake(name)}_total`),
  ].map(name => (name.startsWith('process_') ? name : `crossbook_${name}`)),
);
const LABELS: Readonly<Record<string, readonly string[]>> = {
  ...LABEL_VALUES,
  bucket: [...LABEL_VALUES.bucket, ...BUCKETS],
};

/** Folders and files at the root, and those of src, which documents name without it. */
const FILE =
  /^(?:\.\/)?((?:src|test|bench|docs|proto|deploy)\/[\w./-]+|[\w-]+\.(?:md|json|yaml)|[\w-]+(?:\/[\w-]+)+\.ts)$/;
/** Written by who follows the walk-through, or who operates. */
const NOT_OURS =
  /^(bot\.ts|pods\.json|maker\.json|capture\.json|more\.jsonl|accounts\.json|demo\/.*|paper\/.*\.json|.*key\.json)$/;

type Find = (code: string) => readonly string[];

const names: readonly [what: string, find: Find, isThere: (name: string) => boolean, nothing: string][] = [
  [
    'files',
    code => [FILE.exec(code.trim())?.[1] ?? ''].filter(name => name !== '' && !NOT_OURS.test(name)),
    name => existsSync(name) || existsSync(`src/${name}`),
    'src/orders/life/nothing.ts',
  ],
  [
    'tests that are to be run',
    code => [...code.matchAll(/vitest run ((?:[\w./-]+ ?)+)/g)].flatMap(([, paths]) => paths!.trim().split(' ')),
    existsSync,
    'npx vitest run test/nothing',
  ],
  [
    'scripts',
    code => [...code.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name!),
    name => name in scripts,
    'npm run nothing',
  ],
  [
    'settings',
    code => [...code.matchAll(/\bCROSSBOOK_[A-Z_]*[A-Z]/g)].map(([name]) => name),
    name => CONFIG.includes(`'${name}'`) || FOR_BOTS.includes(`'${name}'`),
    'CROSSBOOK_NOTHING',
  ],
  [
    'metrics',
    code => [...code.matchAll(/\bcrossbook_[a-z_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')),
    name => METRICS.has(name),
    'crossbook_nothing_total',
  ],
  [
    'labels of metrics',
    code => [...code.matchAll(/\bcrossbook_[a-z_]+\{(\w+)="([^"]+)"/g)].map(([, label, value]) => `${label}=${value}`),
    name => {
      const [label = '', value = ''] = name.split('=');
      return LABELS[label]?.includes(value) === true;
    },
    'crossbook_rate_limited_total{bucket="nothing"}',
  ],
  [
    'limits',
    code => [/^[a-z][A-Za-z]*(?:Ms|Max|Min|PerS|Bytes)$/.exec(code)?.[0] ?? ''].filter(name => name !== ''),
    name => name in limits || name in protectionLimits || FIELDS.includes(name),
    'nothingMs',
  ],
];
/** Fields of requests and answers that end like limits. */
const FIELDS = [
  ...['notionalMax', 'openOrdersMax', 'positionMax', 'timeoutMs', 'lastsMs', 'minIntervalMs', 'ageMs'],
  ...['sizeMax', 'orderRateMax', 'orderBurstMax', 'cancelRateMax', 'cancelBurstMax'],
  ...['fillsMax', 'sharesMax', 'windowMs', 'redeemUsdMax'],
];

describe.each(names)('%s', (_what, find, isThere, nothing) => {
  it('that are named are there', () => {
    const missing = DOCUMENTS.flatMap(({ path, text }) =>
      codeIn(text)
        .flatMap(find)
        .filter(name => !isThere(name))
        .map(name => `${path}: ${name}`),
    );
    expect([...new Set(missing)]).toEqual([]);
  });

  it('would be missed', () => {
    expect(find(nothing)).toHaveLength(1);
    expect(find(nothing).some(isThere)).toBe(false);
  });
});

it('the review has every package that runs, with its version', () => {
  const review = readFileSync('docs/SECURITY.md', 'utf8');
  const reported = [...review.matchAll(/^\| `([^`]+)`[^|]*? ([\d.]+)\)? \|/gm)].map(([, name, version]) => [
    name,
    version,
  ]);
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly dependencies: object };
  const bare = Object.entries(dependencies).map(([name, version]) => [name, String(version).split('@').at(-1)]);
  expect(reported.toSorted()).toEqual(bare.toSorted());
});

it('the documents of operators have every setting', () => {
  const reported = DOCUMENTS.filter(({ path }) => ['README.md', 'docs/OPERATIONS.md'].includes(path)).map(
    it => it.text,
  );
  const settings = [...CONFIG.matchAll(/'(CROSSBOOK_[A-Z_]+)'/g)].map(([, name]) => name!);
  expect(settings.filter(name => !reported.join('').includes(name))).toEqual([]);
});

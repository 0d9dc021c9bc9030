// Requests to the venues that fail: lost, hung, refused or late, before or after the venue has acted.

import { setTimeout as pause } from 'node:timers/promises';
import { VENUES } from '../../../src/core/domain/market.ts';
import { HANG_MS, type VenueWords, WORDS } from '../../soak/fault-plan.ts';
import type { Row } from '../row.ts';
import type { Scene } from '../scene.ts';
import { SPELL_MS } from '../spell.ts';

type Operation = 'newOrder' | 'cancel' | 'reads';

interface RequestFault {
  readonly kind: string;
  readonly [detail: string]: unknown;
}

/** The number of strikes at each venue. */
const STRIKES = 3;

const OF: Readonly<Record<Operation, string>> = {
  newOrder: 'a new order',
  cancel: 'a cancel',
  reads: 'a private read',
};

/** Plans faults of one venue, once a few orders have succeeded. */
export async function plan(
  scene: Scene,
  operation: keyof VenueWords,
  fault: RequestFault,
  terms: object = { countMax: STRIKES },
): Promise<void> {
  await scene.begun(6);
  for (const venue of VENUES)
    await scene.stage.paper.control('POST', '/faults', { venue, operation: WORDS[venue][operation], fault, ...terms });
}

function row(operation: Operation, words: string, fault: RequestFault, terms: Partial<Row> = {}): Row {
  return {
    group: `${OF[operation]} at the venues`,
    fault: `${OF[operation]}: ${words}`,
    mustStrike: fault.kind,
    strike: scene => plan(scene, operation, fault),
    ...terms,
  };
}

function both(operation: Operation): readonly Row[] {
  const isOrder = operation === 'newOrder';
  return [
    row(operation, 'lost on the way there', { kind: 'lost', isApplied: false }),
    row(operation, 'its answer lost', { kind: 'lost', isApplied: true }),
    row(operation, 'hangs, and nothing comes of it', { kind: 'hung', isApplied: false, hangMs: HANG_MS }),
    row(operation, 'hangs, and the venue acts', { kind: 'hung', isApplied: true, hangMs: HANG_MS }),
    row(operation, '500 without effect', { kind: 'status', status: 500, isApplied: false }),
    row(operation, '500 with effect', { kind: 'status', status: 500, isApplied: true }),
    row(operation, '502 with effect', { kind: 'status', status: 502, isApplied: true }),
    row(operation, '503 without effect', { kind: 'status', status: 503, isApplied: false }),
    row(operation, '504 with effect', { kind: 'status', status: 504, isApplied: true }),
    ...(isOrder ? [row(operation, '425, the engine restarts', { kind: 'status', status: 425, isApplied: false })] : []),
    row(operation, '429', { kind: 'rate-limited' }),
    row(operation, 'late on the way there', { kind: 'delay', beforeMs: 1_500, afterMs: 0 }),
    row(operation, 'its answer late', { kind: 'delay', beforeMs: 0, afterMs: 1_500 }),
  ];
}

/** Without faults the gateway has nothing to read, so a client asks for balances. */
function reads(words: string, fault: RequestFault): Row {
  return row('reads', words, fault, {
    async strike(scene) {
      await plan(scene, 'reads', fault);
      for (const { client } of scene.traders)
        await Promise.all([client.call('getVenueABalance'), client.call('getVenueBBalance')]);
    },
  });
}

export const REQUEST_ROWS: readonly Row[] = [
  { group: 'fair weather', fault: 'none', strike: () => Promise.resolve() },
  ...both('newOrder'),
  ...both('cancel'),
  reads('lost', { kind: 'lost', isApplied: true }),
  reads('503', { kind: 'status', status: 503, isApplied: true }),
  reads('429', { kind: 'rate-limited' }),
  reads('late', { kind: 'delay', beforeMs: 0, afterMs: 1_500 }),
  {
    group: 'the venues as a whole',
    fault: `every request 429 for ${SPELL_MS / 1_000} s`,
    mustStrike: 'rate-limited',
    async strike(scene) {
      await scene.begun(12);
      for (const venue of VENUES)
        await scene.stage.paper.control('POST', '/faults', {
          venue,
          lastsMs: SPELL_MS,
          fault: { kind: 'rate-limited' },
        });
      await pause(SPELL_MS);
    },
  },
];

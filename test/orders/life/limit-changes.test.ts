// Lines of the audit log about limits that change, on a real key store: each change once, also over restarts, full disks and new versions.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MicroDollars, UnixMillis } from '../../../src/core/domain/numbers.ts';
import { silentLog } from '../../../src/core/runtime/log.ts';
import { type KeyStore, openKeyStore } from '../../../src/core/store/key-store.ts';
import { StoreError } from '../../../src/core/store/store-error.ts';
import { AuditLines } from '../../../src/orders/history/audit-lines.ts';
import { LimitChanges } from '../../../src/orders/life/limit-changes.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { dollars, LossRig } from './loss-rig.ts';
import { ACTOR, Rig } from './orders-rig.ts';

const createdAt = 1 as UnixMillis;
const usd = (amount: number): MicroDollars => (amount * 1e6) as MicroDollars;

let folder: string;
let keys: KeyStore;
let rig: Rig;
let looks: LimitChanges;
beforeEach(() => {
  folder = temporaryFolder();
  keys = openKeyStore(folder);
  keys.createPod({ podId: 'desk', createdAt });
  keys.createActor({ podId: 'desk', actorId: 'maker', createdAt });
  keys.createActor({ podId: 'desk', actorId: 'taker', createdAt });
  rig = new Rig();
  start();
});
afterEach(async () => {
  await keys.close();
  removeFolder(folder);
});

function start(): void {
  looks = new LimitChanges({ ledger: rig.ledger, keys, log: silentLog });
}

type Line = { readonly step: string; readonly at: string; readonly scope: string; readonly changes: unknown[] };

/** The lines of the audit log about changes. */
function lines(): readonly Line[] {
  const all = new AuditLines(() => null).linesOf(rig.store.log.events(), line => ({ line }));
  return all.map(it => JSON.parse(it) as Line).filter(({ step }) => step === 'limit-change');
}

const changes = () => lines().map(it => [it.scope, ...it.changes]);

describe('limits of the key store', () => {
  it('show with who, which, from and to, and when they were seen', () => {
    looks.recordChanges();
    expect(lines()).toEqual([]);
    keys.setActorLimits('desk', 'maker', { notionalMax: usd(500), orderRateMax: 50, collarWithoutBook: 'PASS' });
    rig.timers.advance(1_500);
    looks.recordChanges();
    looks.recordChanges();
    const first = [
      { limit: 'notionalMax', from: null, to: '500' },
      { limit: 'collarWithoutBook', from: 'REFUSE', to: 'PASS' },
      { limit: 'orderRateMax', from: null, to: 50 },
    ];
    const at = new Date(rig.timers.now()).toISOString();
    expect(lines()).toMatchObject([{ at, scope: 'desk/maker', changes: first }]);
    keys.setActorLimits('desk', 'maker', { notionalMax: usd(0.5), collarWithoutBook: null });
    keys.setPodExposure('desk', usd(1_000));
    looks.recordChanges();
    keys.setActorLimits('desk', 'maker', { orderRateMax: null });
    looks.recordChanges();
    expect(changes().slice(1)).toEqual([
      ['desk', { limit: 'exposureMax', from: null, to: '1000' }],
      [
        'desk/maker',
        { limit: 'notionalMax', from: '500', to: '0.5' },
        { limit: 'collarWithoutBook', from: 'PASS', to: 'REFUSE' },
      ],
      ['desk/maker', { limit: 'orderRateMax', from: 50, to: null }],
    ]);
  });

  it('show after a restart if they changed meanwhile, and once', () => {
    keys.setActorLimits('desk', 'maker', { openOrdersMax: 20 });
    looks.recordChanges();
    keys.setActorLimits('desk', 'maker', { openOrdersMax: 0 });
    const ledger = rig.restarted();
    Object.assign(rig.ledger, { store: ledger });
    start();
    looks.recordChanges();
    start();
    looks.recordChanges();
    expect(changes()).toEqual([
      ['desk/maker', { limit: 'openOrdersMax', from: null, to: 20 }],
      ['desk/maker', { limit: 'openOrdersMax', from: 20, to: 0 }],
    ]);
  });

  it('show once a disk that was full takes records again, and none twice', () => {
    keys.setActorLimits('desk', 'maker', { openOrdersMax: 1 });
    looks.recordChanges();
    keys.setActorLimits('desk', 'maker', { openOrdersMax: 2 });
    keys.setActorLimits('desk', 'taker', { openOrdersMax: 3 });
    rig.store.isFull = true;
    expect(() => looks.recordChanges()).toThrow(StoreError);
    rig.store.isFull = false;
    looks.recordChanges();
    looks.recordChanges();
    expect(changes().slice(1)).toEqual([
      ['desk/maker', { limit: 'openOrdersMax', from: 1, to: 2 }],
      ['desk/taker', { limit: 'openOrdersMax', from: null, to: 3 }],
    ]);
  });
});

describe('a loss limit', () => {
  it('shows as it is set, changed and ended, and not as it is set to the same or reset', () => {
    const { losses } = new LossRig(rig);
    losses.set(ACTOR, { lossMax: dollars(200), cancels: false });
    losses.set(ACTOR, { lossMax: dollars(200), cancels: false });
    losses.set(ACTOR, { lossMax: dollars(150.5), cancels: true });
    losses.reset(ACTOR);
    losses.end(ACTOR);
    losses.stop();
    expect(changes()).toEqual([
      [ACTOR, { limit: 'lossMaxUsd', from: null, to: '200' }, { limit: 'cancels', from: null, to: false }],
      [ACTOR, { limit: 'lossMaxUsd', from: '200', to: '150.5' }, { limit: 'cancels', from: false, to: true }],
      [ACTOR, { limit: 'lossMaxUsd', from: '150.5', to: null }, { limit: 'cancels', from: true, to: null }],
    ]);
  });
});

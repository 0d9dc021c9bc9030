// Found by reading what the audit log says of records that the journal has no more. It said so only behind a line of its own. A log that had
// failed from its start on began in the middle, without a word.

import { readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AuditLines } from '../../src/history/audit-lines.ts';
import { AUDIT_BOUNDS, AuditLog } from '../../src/history/audit-log.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { nodeFiles } from '../../src/store/files.ts';
import { LedgerRig } from '../history/history-rig.ts';
import { storedOrder } from '../store/orders/order-rig.ts';
import { eventually } from '../support/eventually.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';

let ledger: LedgerRig;
let folder: string;
beforeEach(() => {
  ledger = new LedgerRig();
  folder = temporaryFolder();
});
afterEach(async () => {
  await ledger.remove();
  removeFolder(folder);
});

it('names what it lacks there, too', async () => {
  const path = join(folder, 'audit.log');
  const timers = new VirtualTimers();
  let failures = 0;
  symlinkSync('/dev/full', path);
  const audit = new AuditLog({
    ...{ path, bounds: AUDIT_BOUNDS, files: nodeFiles, journalFolder: ledger.journalFolder, timers, log: silentLog },
    positions: ledger.positions,
    lines: new AuditLines(() => null),
    after: ledger.positions.appended,
    failed: () => {
      failures += 1;
    },
  });
  for (let number = 1; number < 40; number++) ledger.step(it => it.putOrder(storedOrder({ number })));
  await eventually(() => {
    timers.advance(10_000);
    expect(failures).toBe(1);
  });
  await ledger.journal.durable();
  ledger.journal.prune(ledger.positions.appended);
  rmSync(path);
  await audit.close();
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const { step, from, to } = JSON.parse(lines[0]!);
  expect([step, from, to > 1]).toEqual(['gap', 1, true]);
  expect(JSON.parse(lines[1]!).record).toBe(to + 1);
});

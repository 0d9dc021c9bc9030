// Orders of the release before the engine, as it left them (test/fixtures/old-store.json.gz: its files and its export).

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLedgerFolder } from '../../src/history/ledger-folder.ts';
import { convertOldStore } from '../../src/history/old-store.ts';
import { nodeFiles } from '../../src/store/files.ts';
import { openRowEnvironment } from '../../src/store/lmdb.ts';
import { checkOrders } from '../../src/store/orders/check.ts';
import { exportOrders } from '../../src/store/orders/export.ts';
import { ORDER_TABLES, type OrderTable } from '../../src/store/orders/keys.ts';
import { OrderReader } from '../../src/store/orders/order-reader.ts';
import { writeOrders } from '../../src/store/orders/order-writer.ts';
import { rowOf, stateKey, stateRange, type Transaction } from '../../src/store/tables.ts';
import { at, orderIdOf, storedOrder } from '../store/orders/order-rig.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

interface OldStore {
  /** Content in base64, by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly lines: readonly string[];
}
const old: OldStore = JSON.parse(gunzipSync(readFileSync('test/fixtures/old-store.json.gz')).toString());

let folder: string;
beforeEach(() => {
  folder = join(temporaryFolder(), 'orders');
  putOld();
});
afterEach(() => removeFolder(dirname(folder)));

function putOld(): void {
  for (const [path, content] of Object.entries(old.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), Buffer.from(content, 'base64'));
  }
}

async function found() {
  const { tables, converted, close } = await opened();
  const lines: object[] = [];
  exportOrders(tables, line => void lines.push(JSON.parse(line)));
  const { faults } = checkOrders(tables);
  const reads = new OrderReader(tables);
  const marks = { written: reads.mark('written'), boot: reads.mark('open-boot') };
  await close();
  return { lines, faults, converted: converted !== null && converted > 0, ...marks };
}

async function opened() {
  const ledger = await openLedgerFolder(folder);
  return { tables: ledger.tables, converted: ledger.converted, close: () => ledger.close() };
}

/** With what orders have had since, and that release did not know. */
const LINES = old.lines.map(line => {
  const value: { readonly type: string } = JSON.parse(line);
  return value.type === 'order'
    ? { ...value, venueError: null, cancelReason: null, replaces: null, replacedBy: null }
    : value;
});
const WHOLE = { lines: LINES, faults: [], written: 'after the checkpoint', boot: null };

describe('a store that was closed in good order', () => {
  it('is taken over at the first start, and its files go', async () => {
    expect(await found()).toEqual({ ...WHOLE, converted: true });
    expect(readdirSync(folder).sort()).toEqual(['checkpoint-000000000000001', 'history', 'id', 'lock']);
    expect(await found()).toEqual({ ...WHOLE, converted: false });
  });

  it('is taken over anew where that was interrupted', async () => {
    await convertOldStore(nodeFiles, folder, join(folder, 'history.draft'));
    expect(await found()).toEqual({ ...WHOLE, converted: true });
    expect(readdirSync(folder)).not.toContain('history.draft');
  });

  it('is taken over once, though its files were not all removed', async () => {
    await found();
    rmSync(join(folder, 'checkpoint-000000000000001'), { recursive: true });
    putOld();
    expect(await found()).toEqual({ ...WHOLE, converted: false });
    expect(readdirSync(folder).sort()).toEqual(['checkpoint-000000000000001', 'history', 'id', 'lock']);
  });

  it('has an unknown boot where it had lost events without a report', async () => {
    // As its owner noted it: a row of its own, in what a backup becomes when it is opened by a command.
    const state = openRowEnvironment(join(folder, 'state'), 64 * 1024 * 1024);
    state.transact(() => state.put(Uint8Array.of(3, 2), new Uint8Array()));
    await state.close();
    expect(await found()).toEqual({ ...WHOLE, boot: 'copy', converted: true });
  });

  it('has its orders listed that may be filled yet, which it did not list', async () => {
    const state = openRowEnvironment(join(folder, 'state'), 64 * 1024 * 1024);
    const transaction: Transaction<OrderTable> = {
      get: (table, key) => state.get(stateKey(ORDER_TABLES[table], key)),
      range: (table, range) => state.range(stateRange(ORDER_TABLES[table], range)).map(rowOf),
      put: (table, key, value) => {
        if (table !== 'awaited') state.put(stateKey(ORDER_TABLES[table], key), value);
      },
      delete: (table, key) => state.remove(stateKey(ORDER_TABLES[table], key)),
    };
    const error = { code: 'UNKNOWN', message: null } as const;
    const stored = storedOrder({ number: 0xffff }, { status: 'REJECTED', closedAt: at(7), error });
    state.transact(() => writeOrders(transaction, 1, writer => writer.putOrder(stored)));
    await state.close();
    const { tables, close } = await opened();
    expect(Array.from(new OrderReader(tables).awaitedOrders(at(0)), it => it.order.orderId)).toEqual([
      orderIdOf(0xffff),
    ]);
    expect(checkOrders(tables).faults).toEqual([]);
    await close();
  });
});

it.each<[what: string, harm: () => void]>([
  ['a mark of an open store', () => writeFileSync(join(folder, 'mark'), 'open 1-2\n')],
  ['no mark, as a backup has none', () => rmSync(join(folder, 'mark'))],
  ['no state', () => rmSync(join(folder, 'state'), { recursive: true })],
  [
    'a state that was cut',
    () =>
      writeFileSync(join(folder, 'state/data.mdb'), readFileSync(join(folder, 'state/data.mdb')).subarray(0, 8_192)),
  ],
])('a store with %s is refused, says what to do, and stays as it is', async (_what, harm) => {
  harm();
  const names = readdirSync(folder).sort();
  const words = `${folder}: is of an earlier release, which has not closed it in good order: start that release once more`;
  await expect(openLedgerFolder(folder)).rejects.toThrow(words);
  expect(readdirSync(folder).sort()).toEqual([...names, 'lock'].sort());
});

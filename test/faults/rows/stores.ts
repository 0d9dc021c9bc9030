// The order store: a second process opens it, or its files are changed. Bytes are changed while the gateway is killed. If the gateway refuses to
// start, they are restored, as from a backup.

import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Row, wordsOf } from '../row.ts';
import type { Scene } from '../scene.ts';

const group = 'the order store’s files';

/** Changes some bytes of a file; `at` returns their place from the length of the file. */
function spoil(path: string, at: (bytes: number) => number): void {
  const bytes = readFileSync(path);
  const from = at(bytes.length);
  for (let offset = from; offset < Math.min(from + 16, bytes.length); offset += 1) bytes[offset]! ^= 0xff;
  writeFileSync(path, bytes);
}

const middle = (bytes: number): number => bytes >> 1;
const nearEnd = (bytes: number): number => Math.max(0, bytes - 20);

/** Returns the journal's last segment. */
function journal(folder: string): string {
  const name = readdirSync(join(folder, 'journal')).sort().at(-1);
  if (name === undefined) throw new Error('there is no journal');
  return join(folder, 'journal', name);
}

const lmdb = (folder: string): string => join(folder, 'history/data.mdb');

interface Spoilt {
  readonly words: string;
  readonly spoil: (folder: string) => void;
  readonly losesRecord?: boolean;
  /** Whether the history has everything by then. On a busy machine it is behind the journal. */
  readonly isFollowed?: boolean;
}

function row({ words, spoil: commit, losesRecord = false, isFollowed = false }: Spoilt): Row {
  return {
    ...{ group, losesRecord },
    fault: `killed, and ${words}`,
    setting: {},
    expected: ['late-trace', 'adopted-order'],
    async strike(scene) {
      await scene.begun(30);
      const { gateway } = scene.stage;
      await gateway.kill();
      if (isFollowed) await gateway.export();
      const folder = join(gateway.dataDir, 'orders');
      const copy = join(scene.stage.folder, 'copy');
      cpSync(folder, copy, { recursive: true });
      commit(folder);
      await startSomehow(scene, folder, copy);
    },
  };
}

async function startSomehow({ stage: { gateway }, notes }: Scene, folder: string, copy: string): Promise<void> {
  const attempt = await gateway.attempt();
  notes.push(wordsOf(attempt, gateway));
  if (attempt.isUp) return;
  rmSync(folder, { recursive: true });
  renameSync(copy, folder);
  await gateway.start();
  notes.push('with the bytes put back it starts');
}

export const STORE_ROWS: readonly Row[] = [
  {
    group,
    fault: 'a second gateway on the same data directory, three times',
    async strike(scene) {
      for (const orders of [10, 25, 40]) {
        await scene.begun(orders);
        const { gateway } = scene.stage;
        scene.notes.push(wordsOf(await gateway.second(), gateway));
      }
    },
  },
  row({ words: 'the journal’s last record torn', spoil: folder => truncate(journal(folder), 20), losesRecord: true }),
  row({
    words: 'bytes changed in the journal’s last record',
    ...{ spoil: folder => spoil(journal(folder), nearEnd), losesRecord: true },
  }),
  row({ words: 'bytes changed in the middle of the journal', spoil: folder => spoil(journal(folder), middle) }),
  row({ words: 'the journal gone', spoil: folder => rmSync(journal(folder)), isFollowed: true }),
  row({ words: 'LMDB’s file cut in half', spoil: folder => truncate(lmdb(folder), statSync(lmdb(folder)).size >> 1) }),
  row({ words: 'LMDB’s head overwritten', spoil: folder => spoil(lmdb(folder), () => 24) }),
  row({ words: 'LMDB’s file gone', spoil: folder => rmSync(join(folder, 'history'), { recursive: true }) }),
];

function truncate(path: string, bytes: number): void {
  truncateSync(path, statSync(path).size - bytes);
}

// The order store: opened by a second process, and with files that are not what was written. Bytes are changed while the gateway is
// killed; where it refuses to start they are put back, as from a copy.

import { cpSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Row, wordsOf } from '../row.ts';
import type { Scene } from '../scene.ts';

const group = 'the order store’s files';

/** Changes some bytes of a file, from where `at` says of its length. */
function spoil(path: string, at: (bytes: number) => number): void {
  const bytes = readFileSync(path);
  const from = at(bytes.length);
  for (let offset = from; offset < Math.min(from + 16, bytes.length); offset += 1) bytes[offset]! ^= 0xff;
  writeFileSync(path, bytes);
}

const middle = (bytes: number): number => bytes >> 1;
const nearEnd = (bytes: number): number => Math.max(0, bytes - 20);

function newest(folder: string, prefix: string): string {
  const name = readdirSync(folder)
    .filter(it => it.startsWith(prefix))
    .sort()
    .at(-1);
  if (name === undefined) throw new Error(`there is no ${prefix}…`);
  return join(folder, name);
}

interface Spoilt {
  readonly words: string;
  readonly spoil: (folder: string) => void;
  readonly isStreamLost?: boolean;
  /** A start does not see it; `store check` reports it, and `store compact` mends it. */
  readonly isUnseen?: boolean;
}

function row({ words, spoil: commit, isStreamLost = false, isUnseen = false }: Spoilt): Row {
  return {
    group,
    fault: `killed, and ${words}`,
    setting: { isStreamLost },
    expected: ['late-trace', 'adopted-order'],
    async strike(scene) {
      await scene.begun(30);
      const { gateway } = scene.stage;
      await gateway.kill();
      const folder = join(gateway.dataDir, 'orders');
      const copy = join(scene.stage.folder, 'copy');
      cpSync(folder, copy, { recursive: true });
      commit(folder);
      await startSomehow(scene, folder, copy);
      if (isUnseen) await mend(scene);
    },
  };
}

async function mend(scene: Scene): Promise<void> {
  const { gateway } = scene.stage;
  await scene.begun(45);
  await gateway.stop();
  const complaint = await gateway.check().then(
    () => 'nothing',
    (error: Error) => error.message.replace(/^.*?journal-\d+/s, 'journal-…').split('\n')[0],
  );
  scene.notes.push(`\`store check\` finds ${complaint}`);
  await gateway.compact();
  await gateway.start();
  scene.notes.push('mended by `store compact`');
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
  row({ words: 'the journal’s last record torn', spoil: folder => truncate(newest(folder, 'journal-'), 20) }),
  row({
    words: 'bytes changed in the journal’s last record',
    isUnseen: true,
    spoil: folder => spoil(newest(folder, 'journal-'), nearEnd),
  }),
  row({
    words: 'bytes changed in the middle of the journal',
    isUnseen: true,
    spoil: folder => spoil(newest(folder, 'journal-'), middle),
  }),
  row({ words: 'the journal gone', spoil: folder => rmSync(newest(folder, 'journal-')) }),
  row({
    words: 'LMDB’s file cut in half',
    isStreamLost: true,
    spoil: folder => truncateSync(join(folder, 'state/data.mdb'), statSync(join(folder, 'state/data.mdb')).size >> 1),
  }),
  row({
    words: 'LMDB’s head overwritten',
    isStreamLost: true,
    spoil: folder => spoil(join(folder, 'state/data.mdb'), () => 24),
  }),
  row({
    words: 'LMDB’s file gone, and the mark',
    isStreamLost: true,
    spoil(folder) {
      rmSync(join(folder, 'state'), { recursive: true });
      rmSync(join(folder, 'mark'));
    },
  }),
  row({
    words: 'the mark overwritten',
    isStreamLost: true,
    spoil: folder => writeFileSync(join(folder, 'mark'), 'nonsense'),
  }),
];

function truncate(path: string, bytes: number): void {
  truncateSync(path, statSync(path).size - bytes);
}

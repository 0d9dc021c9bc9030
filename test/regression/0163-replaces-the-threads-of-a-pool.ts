// `FOLDER=… node 0163-replaces-the-threads-of-a-pool.ts`: while one of two order workers commits, the other dies, and so does the one that
// takes its place. Says what becomes of the pool, and that others can commit.

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SignatureCheck } from '../../src/auth/check.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { Metrics } from '../../src/runtime/metrics.ts';
import { createOrderPool } from '../../src/threads/pools.ts';
import { bytesOf, openStore } from '../store/durable/store-rig.ts';

const { FOLDER = '' } = process.env;
const say = (text: string): void => void writeSync(1, `${text}\n`);
const told = (message: string): SignatureCheck => ({ publicKeyHex: '', message, signature: new Uint8Array(64) });

const owner = await openStore(join(FOLDER, 'store'));
const restarted = Promise.withResolvers<void>();
const log = {
  ...silentLog,
  warn(event: string): void {
    if (event === 'order pool started anew') restarted.resolve();
  },
};
const metrics = new Metrics({ operations: [] });
const workerUrl = new URL('./0163-order-worker.ts', import.meta.url);
const pool = await createOrderPool({ threads: 2, metrics, log, workerUrl });
await Promise.all([pool.verify(told('transact'), 'proven'), pool.verify(told('die'), 'proven')]);
await restarted.promise;
say('started anew');
await owner.commit(to => to.put('left', bytesOf('b'), bytesOf('1')));
say('committed');
await pool.close();
await owner.close();
say('closed');

// A start of its own process on a data directory: says whether it made the demo identity. `node first-start-child.ts DIR`.

import { join } from 'node:path';
import type { UnixMillis } from '../src/domain/numbers.ts';
import { prepareDemo } from '../src/first-start.ts';
import { openKeyStore } from '../src/store/key-store.ts';

const [dataDir = ''] = process.argv.slice(2);
const store = openKeyStore(join(dataDir, 'keys'));
const made = await prepareDemo(dataDir, store, 1_000 as UnixMillis);
await store.close();
process.stdout.write(made === null ? 'null\n' : 'made\n');

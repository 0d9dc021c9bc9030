// A start of its own process on a data directory: says whether it made the demo identity. `node first-start-child.ts DIR`.

import { join } from 'node:path';
import type { UnixMillis } from '../src/core/domain/numbers.ts';
import { openKeyStore } from '../src/core/store/key-store.ts';
import { prepareDemo } from '../src/first-start.ts';

const [dataDir = ''] = process.argv.slice(2);
const store = openKeyStore(join(dataDir, 'keys'));
const made = await prepareDemo(dataDir, store, 1_000 as UnixMillis);
await store.close();
process.stdout.write(made === null ? 'null\n' : 'made\n');

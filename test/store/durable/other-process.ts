// A process that does not own the store of the folder that it is given: says how many rows it reads, and what becomes of a change.

import { wordsOf } from '../../../src/domain/error-words.ts';
import { bytesOf, contentOf, openStore } from './store-rig.ts';

const store = await openStore(process.argv[2] ?? '', { role: 'member' });
console.log(`${contentOf(store).left!.length} rows`);
try {
  store.transact(to => to.put('left', bytesOf('elsewhere'), bytesOf('v')));
} catch (error) {
  console.log(wordsOf(error));
}
await store.close();

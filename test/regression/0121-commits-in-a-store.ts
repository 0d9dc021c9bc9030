// `node 0121-commits-in-a-store.ts FOLDER`: commits in a store whose disk has failed, on the thread where it failed and on another, and
// says how each of them ends.

import { writeSync } from 'node:fs';
import { FailingFiles } from '../store/durable/failing-files.ts';
import { bytesOf, openStore } from '../store/durable/store-rig.ts';

const [folder = ''] = process.argv.slice(2);
const owner = await openStore(folder);
const files = new FailingFiles();
const member = await openStore(folder, { role: 'member', files });
member.transact(to => to.put('left', bytesOf('a'), bytesOf('1')));
files.failing.add('syncSoon');
await member.durable().catch(() => {});
files.failing.clear();
const commits = [member, owner].flatMap(store =>
  ['b', 'c'].map(key => store.commit(to => to.put('left', bytesOf(key), bytesOf('1')))),
);
const outcomes = await Promise.allSettled(commits);
for (const it of outcomes) writeSync(1, `${it.status === 'rejected' ? String(it.reason) : it.status}\n`);
await member.close();
await owner.close();

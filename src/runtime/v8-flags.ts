// V8 settings of the whole process, all threads. The entry points import it first, before hot code is compiled and other threads start.

import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { helpersGiveWay } from './thread-priority.ts';

// A delta passes through a dozen short functions; with the default budget (920) V8 stops inlining half-way. Measured with
// book/apply+tape: 82 ns by default, 74 ns with this setting (ADR 0001).
setFlagsFromString('--max-inlined-bytecode-size-cumulative=3000');

if (isMainThread) helpersGiveWay();

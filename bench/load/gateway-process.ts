// The gateway under load: the real one, threads and all, in a process of its own, so that its processor time can be read.
// Ends with its parent.

import '../../src/runtime/v8-flags.ts';
import { createArena } from '../../src/book/memory.ts';
import type { Venue } from '../../src/domain/market.ts';
import { startGateway } from '../../src/gateway/gateway.ts';
import { limits } from '../../src/limits.ts';
import { FeedCounters } from '../../src/runtime/counters.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { FeedTarget } from '../../src/threads/feed-messages.ts';
import { answerCpuQuestions } from './cpu-answers.ts';

process.once('message', async (targets: Readonly<Record<Venue, FeedTarget>>) => {
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    arena: createArena(),
    targets,
    counters: { venue_a: new FeedCounters(), venue_b: new FeedCounters() },
    bookLingerMs: limits.bookLingerMs,
    log: silentLog,
  });
  process.send?.(gateway.port);
  answerCpuQuestions();
});

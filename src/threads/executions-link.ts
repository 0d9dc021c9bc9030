// The main thread's end of the executions thread: starts it and hears what it tells. Main thread.

import type { AccountNews } from '../orders/account-parts.ts';
import type { Log } from '../runtime/log.ts';
import type { Account, OrderEventRecord } from '../store/order-records.ts';
import type { ExecutionsData, FromExecutions } from './executions-worker.ts';
import { LastingThread } from './lasting-thread.ts';

export interface ExecutionsHandlers {
  readonly onEvents: (events: readonly OrderEventRecord[]) => void;
  /** An account has been read for the first time since the start. */
  readonly onRead: (account: Account) => void;
  readonly onNews: (account: Account, news: AccountNews) => void;
  /** The thread has died, and another is on its way. */
  readonly onLost: () => void;
}

export function startExecutions(
  data: ExecutionsData,
  { onEvents, onRead, onNews, onLost }: ExecutionsHandlers,
  log: Log,
): LastingThread {
  return new LastingThread({
    name: 'executions',
    url: new URL('./executions-worker.ts', import.meta.url),
    workerData: data,
    log,
    whenItHangs: 'fatal',
    onLost,
    onMessage(it) {
      const message = it as FromExecutions;
      if (message.type === 'events') onEvents(message.events);
      else if (message.type === 'read') onRead(message.account);
      else onNews(message.account, message.news);
    },
  });
}

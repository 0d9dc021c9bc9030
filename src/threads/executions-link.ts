// The main thread's end of the executions thread: starts it and hears what it tells. Main thread.

import { unreachable } from '../domain/result.ts';
import type { AccountNews } from '../orders/account-parts.ts';
import type { UnrecordedSwitch } from '../orders/cancel-after.ts';
import type { Log } from '../runtime/log.ts';
import type { Account, OrderEventRecord } from '../store/order-records.ts';
import type { ExecutionsData, FromExecutions } from './executions-worker.ts';
import { LastingThread } from './lasting-thread.ts';

export interface ExecutionsHandlers {
  readonly onEvents: (events: readonly OrderEventRecord[]) => void;
  /** An account has been read for the first time since the start. */
  readonly onRead: (account: Account) => void;
  readonly onNews: (account: Account, news: AccountNews) => void;
  /** A switch that was kept in memory. */
  readonly onSwitchRecorded: (recorded: UnrecordedSwitch) => void;
  /** The thread has died, and another is on its way. */
  readonly onLost: () => void;
  /** That other one runs. */
  readonly onRestart: () => void;
}

export function startExecutions(
  data: ExecutionsData,
  { onEvents, onRead, onNews, onSwitchRecorded, onLost, onRestart }: ExecutionsHandlers,
  log: Log,
): LastingThread {
  return new LastingThread({
    name: 'executions',
    url: new URL('./executions-worker.ts', import.meta.url),
    workerData: data,
    log,
    whenItHangs: 'fatal',
    onLost,
    onRestart,
    onMessage(it) {
      const message = it as FromExecutions;
      switch (message.type) {
        case 'events':
          return onEvents(message.events);
        case 'read':
          return onRead(message.account);
        case 'news':
          return onNews(message.account, message.news);
        case 'switch-recorded':
          return onSwitchRecorded(message.recorded);
        default:
          return unreachable(message);
      }
    },
  });
}

// The threads of the process besides the main thread: their work, and their entry files. The file that starts a thread is in the room of
// the thread's work. `runtime/` starts and watches threads in general. This file imports nothing, so that any room may import it.

export const THREADS = {
  /**
   * Decides every change of an order, records it, and sends it. If this thread hangs, main ends the process, unless the thread waits for a
   * disk.
   */
  engine: { name: 'engine', entry: new URL('./gateway/door/engine-worker.ts', import.meta.url) },
  /** Follows the journal and writes it into LMDB. Answers lists. */
  history: {
    name: 'history',
    entry: new URL('./orders/history/history-worker.ts', import.meta.url),
    whenItHangs: 'logged',
  },
  /** Cancels orders at the venues while the engine does not answer. */
  guard: { name: 'guard', entry: new URL('./orders/guard/guard-worker.ts', import.meta.url), whenItHangs: 'replaced' },
  /** Checks signatures and reads pages of the catalog: a thread of the check pool. If it hangs, main ends the process. */
  check: { name: 'check', entry: new URL('./gateway/checks/check-worker.ts', import.meta.url) },
  /** Writes a venue's market data into books in shared memory. Each venue has a thread of its own. */
  feed: {
    name: 'feed',
    entry: new URL('./market-data/feeds/feed-worker.ts', import.meta.url),
    whenItHangs: 'replaced',
  },
  /** Reads the venues’ lists of markets into a catalog in shared memory. */
  catalog: { name: 'catalog', entry: new URL('./catalog/catalog-worker.ts', import.meta.url), whenItHangs: 'logged' },
  /** With `CROSSBOOK_SHM`: writes books and trades into a file that other processes map. */
  shm: {
    name: 'shared file',
    entry: new URL('./market-data/shm/shm-worker.ts', import.meta.url),
    whenItHangs: 'replaced',
  },
  /** With `CROSSBOOK_RECORD_DIR`: writes books and trades into the files of a recording. */
  recorder: {
    name: 'recorder',
    entry: new URL('./market-data/recording/recorder-worker.ts', import.meta.url),
    whenItHangs: 'logged',
  },
  /** With `CROSSBOOK_BOOKS=publish`: publishes books and trades on core NATS. */
  relay: {
    name: 'relay',
    entry: new URL('./market-data/relay/relay-worker.ts', import.meta.url),
    whenItHangs: 'replaced',
  },
  /** With `CROSSBOOK_ALERT_URL`: sends alarms. */
  alerts: {
    name: 'alerts',
    entry: new URL('./gateway/alerts/alert-worker.ts', import.meta.url),
    whenItHangs: 'replaced',
  },
  /** Reads single markets. The first read starts this thread. */
  marketReads: {
    name: 'market reads',
    entry: new URL('./venues/market-reads-worker.ts', import.meta.url),
    whenItHangs: 'replaced',
  },
  /** Runs the simulated venues, unless real venues are configured. */
  paper: { name: 'venues', entry: new URL('./paper/paper-worker.ts', import.meta.url) },
  /** Runs the venues of the rehearsal, only at the start. */
  rehearsalVenues: { name: 'venues', entry: new URL('./tools/rehearsal/venues-worker.ts', import.meta.url) },
  /** Moves the clock in a backtest with `--speed max`. */
  clock: { name: 'clock', entry: new URL('./core/runtime/clock-worker.ts', import.meta.url) },
} as const;

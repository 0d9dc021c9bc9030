// The test runner's settings: files run in child processes (native addons and worker threads dislike vitest's own worker
// threads), in an order that does not matter.
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { START_FLAGS } from './test/support/child-process.ts';
import { nameMissingPackages } from './test/support/debian-packages.ts';
import { PATIENCE_MS } from './test/support/eventually.ts';
import { FileTimes } from './test/support/file-times.ts';
import { QuietSkips } from './test/support/quiet-skips.ts';
import { nameMissingRecordings } from './test/support/recordings.ts';

/**
 * What `npm run test:release` runs, and `npm test` does not. These files install, pack, release, or start whole programs: gateways, commands,
 * browsers, runners and the programs of documents. They kill such programs and their threads, damage their files, fill or freeze their
 * disks, play weeks of a season, or load the programs for a long time.
 */
const release = [
  'test/bench/smoke.test.ts',
  'test/budget/budget.test.ts',
  'test/tools/cli/{backtest,backup,backup-beside,backup-folders,crossbook,doctor,full-disk,loss,lost-state,mcp,order,paper}.test.ts',
  'test/tools/cli/{position,record-import,recording-document,restore,statement,stop,tls,words}.test.ts',
  'test/clients/{examples,native,python,python-package,python-types,shared-memory,typescript-package}.test.ts',
  'test/deploy/{alerts,container,image,metrics,service,systemd}.test.ts',
  'test/docs/{examples,readme,runners}.test.ts',
  'test/core/{alerts/alarm-document,auth/signing-document,domain/time-zones,metrics/memory-process}.test.ts',
  'test/core/net/{node-http,slow-readers}.test.ts',
  'test/core/runtime/{at-rest,lasting-thread,pulse,signals,stripped-types,thread-state,v8-flags}.test.ts',
  'test/core/store/{damaged-file,key-store.processes,key-stream,lmdb-files,owner-lock,owner-process}.test.ts',
  'test/e2e/{auto-redeem,catalog-restart,failing-journal,faults,feed-restart,first-catalog,flood,frozen-disk}.test.ts',
  'test/e2e/{full-disk,limits-kill,live-paper,log-reader,noisy-neighbour,open-files,paper,pod}.test.ts',
  'test/e2e/{protection-kill,recorder,recorder-process,relay,relay-process,reload,secrets,service,shutdown,signals}.test.ts',
  'test/e2e/{slow-reader,standby,three-ways,trade-door-process,unreadable-keys,unreadable-rows}.test.ts',
  'test/e2e/{wallet-kills,wallet-payouts}.test.ts',
  'test/market-data/{recording/recorder-thread,relay/book-publisher-outlet,shm/shm-link}.test.ts',
  'test/orders/journal/kill.test.ts',
  'test/paper/{kept-season,replay/bar,season}.test.ts',
  'test/{faults,stress,tools/rehearsal}/*.test.ts',
  'test/{data-dir,data-folders,first-start,installed,package,release,repository,site}.test.ts',
  'test/fuzz/gateway.test.ts',
  'test/tools/page/{browser,link,owner,silence,unreadable}.test.ts',
  'test/sim/{shrink,take-over}.test.ts',
  'test/soak/{soak,take-over}.test.ts',
  'test/gateway/checks/{check-pool.deaths,hanging-check-worker}.test.ts',
  'test/gateway/trading/{replicated,take-over-size,trading.restarts}.test.ts',
];

/** `npm run test:release` runs these behind the others, one by one: they build other systems, and take all cores for minutes. */
const systems = ['test/deploy/{arm64,newcomer}.test.ts'];

/**
 * Files that start threads and processes and kill them, whose hot loops are to be compiled for themselves, that set the clock of their
 * process, or that make many arenas or feeds, have a process each: to free those means to go through the whole heap.
 */
const alone = [
  'test/gateway/checks/check-pool.test.ts',
  // A worker of another file that loads uWebSockets.js first would set its bound of header blocks.
  'test/core/net/listen-wire.test.ts',
  'test/tools/cli/store.test.ts',
  'test/fuzz/captures.test.ts',
  'test/{market-data/recording/stepped-feed,paper/flow/recorded-house}.test.ts',
  // It starts a process. Linux refuses to fork a process whose memory, with the arenas of other files, may exceed that of the machine.
  'test/paper/flow/parts.test.ts',
  'test/{venues/venue-b/feed.damage,market-data/shm/tape-follower}.test.ts',
  'test/{gateway/trading/trading,orders/guard/guard,orders/history/history-link}.test.ts',
  'test/orders/journal/replicated-log.test.ts',
  'test/paper/engine/properties*.test.ts',
  'test/sim/{schedule,simulation}.test.ts',
];

const LONG_MS = 8 * PATIENCE_MS;

/** Files that start a gateway in their process. */
const gateways = ['test/e2e/**/*.test.ts'];

nameMissingPackages();
nameMissingRecordings();
const { TEST_TIMES } = process.env;
// Every process and thread of the run finds the compiled code of an earlier one.
process.env.NODE_COMPILE_CACHE ??= resolve('node_modules/.cache/compiled');

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than CI has cores: gateways wait for time-outs and recordings, during which another file gets on.
    maxWorkers: 3,
    // As `npm start` runs them: nothing is transformed before it can be imported, hot loops are as fast as they are, and every file
    // and thread that a test starts finds the types of its sources stripped.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: START_FLAGS,
    testTimeout: 2 * PATIENCE_MS,
    hookTimeout: 2 * PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    setupFiles: ['test/support/before-each-file.ts'],
    // Snapshots are not used.
    passWithNoTests: false,
    hideSkippedTests: true,
    reporters: [new QuietSkips(), ...(TEST_TIMES === undefined ? [] : [new FileTimes(TEST_TIMES)])],
    projects: [
      // Loads, restarts and kills whole programs: some of its tests take minutes.
      { extends: true, test: { name: 'release', include: release, testTimeout: LONG_MS, hookTimeout: LONG_MS } },
      {
        extends: true,
        test: { name: 'release-systems', include: systems, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
      { extends: true, test: { name: 'alone', include: alone } },
      // To start a process and to import and compile the same modules again takes longer than most of the other files' tests.
      { extends: true, test: { name: 'gateways', include: gateways, exclude: release, isolate: false } },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...release, ...systems, ...alone, ...gateways],
          isolate: false,
        },
      },
    ],
  },
});

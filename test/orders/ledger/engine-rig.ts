// An engine's ledger on a real journal, and a history that follows it on command, each with its own view of the history's files.

import { VENUES } from '../../../src/core/domain/market.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { wallTimers } from '../../../src/core/runtime/timers.ts';
import { type Files, nodeFiles } from '../../../src/core/store/files.ts';
import { HistoryArchive } from '../../../src/orders/history/archive.ts';
import { Projection } from '../../../src/orders/history/projection.ts';
import { HistoryTables } from '../../../src/orders/history/tables.ts';
import { Journal } from '../../../src/orders/journal/journal.ts';
import { readJournal } from '../../../src/orders/journal/segments.ts';
import { EngineStore } from '../../../src/orders/ledger/engine-store.ts';
import { readEvents } from '../../../src/orders/ledger/events.ts';
import { replay } from '../../../src/orders/ledger/state/engine-ledger.ts';
import type { LedgerState } from '../../../src/orders/ledger/state/state.ts';
import { PODS } from '../../core/store/orders/lives.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const ACCOUNTS = [...PODS, 'pod'].flatMap(podId => VENUES.map(venue => ({ podId, venue })));

export class EngineRig {
  readonly #folder = temporaryFolder();
  readonly #files: Files;
  /** The history's view of its files. */
  readonly tables: HistoryTables;
  /** The engine's view of the history's files. */
  readonly #read: HistoryTables;
  /** The time of a start. */
  now: UnixMillis;
  #followed = 0;
  #journal: Journal;
  #store: EngineStore;

  constructor(now: number, files: Files = nodeFiles) {
    this.now = now as UnixMillis;
    this.#files = files;
    this.tables = HistoryTables.open(`${this.#folder}/history`);
    this.#read = HistoryTables.open(`${this.#folder}/history`);
    [this.#journal, this.#store] = this.#open();
  }

  get store(): EngineStore {
    return this.#store;
  }

  get journal(): Journal {
    return this.#journal;
  }

  /** Follows the journal, so that the history has all of it. */
  follow(): void {
    const projection = new Projection(this.tables);
    readJournal(nodeFiles, `${this.#folder}/journal`, this.#followed + 1, (sequence, payload) => {
      projection.take(sequence, readEvents(payload));
    });
    projection.follow();
    this.#followed = this.tables.followed();
  }

  evict(looksMax = 1_000): number {
    return this.#store.evict(this.#followed, this.now, looksMax);
  }

  /** Ends the engine as kill -9 would. */
  async restart(): Promise<void> {
    await this.#journal.close();
    [this.#journal, this.#store] = this.#open();
  }

  /** Returns the state as another start finds it now. `beforeReplay` runs once the history's rows are loaded. */
  found(beforeReplay: () => void = () => {}): LedgerState {
    const { state, followed } = this.#loaded();
    beforeReplay();
    readJournal(nodeFiles, `${this.#folder}/journal`, followed + 1, (sequence, record) =>
      replay(state, sequence, record),
    );
    return state;
  }

  async close(): Promise<void> {
    await this.#journal.close();
    await this.#read.close();
    await this.tables.close();
    removeFolder(this.#folder);
  }

  #open(): [Journal, EngineStore] {
    const { state, followed } = this.#loaded();
    const options = { folder: `${this.#folder}/journal`, files: this.#files, timers: wallTimers };
    const bounds = { segmentBytes: 2_000, syncDelayMs: 5 };
    const journal = Journal.open({ ...options, ...bounds }, followed + 1, (sequence, record) =>
      replay(state, sequence, record),
    );
    return [journal, state.appendTo(journal)];
  }

  #loaded() {
    const archive = new HistoryArchive(this.#read);
    const state = new EngineStore(archive, 'process-safe');
    const live = archive.live(ACCOUNTS, this.now);
    state.load(live);
    return { state, followed: live.followed };
  }
}

// One life of the simulated history thread: it follows the journal into rows and answers questions, slowly, and may die alone.

import { silentLog } from '../../src/core/runtime/log.ts';
import type { Timers } from '../../src/core/runtime/timers.ts';
import type { OrderReader } from '../../src/core/store/orders/order-reader.ts';
import { HistoryFollower } from '../../src/orders/history/follower.ts';
import type { JournalPositions } from '../../src/orders/journal/positions.ts';
import { JournalTail } from '../../src/orders/journal/tail.ts';
import type { Life } from './life.ts';
import { JOURNAL, type Machine } from './machine.ts';

export class HistoryThread {
  readonly #follower: HistoryFollower;

  readonly #giveTurn: () => void;

  /** `giveTurn` is called when the thread has work for the next turn of the event loop. */
  constructor(machine: Machine, life: Life, positions: JournalPositions, slowness: number, giveTurn: () => void) {
    this.#giveTurn = giveTurn;
    const tables = machine.tables(life);
    this.#follower = new HistoryFollower({
      tables,
      tail: new JournalTail(machine.files(life), JOURNAL, tables.followed()),
      positions,
      timers: slowed(life.timers, slowness, giveTurn),
      log: silentLog,
      onAnswered: () => {},
    });
  }

  ask(answer: (reads: OrderReader) => void, failed: () => void): void {
    this.#follower.ask({ answer, failed });
    this.#giveTurn();
  }

  /** Follows everything that was appended. */
  close(): void {
    this.#follower.close();
  }
}

function slowed(timers: Timers, slowness: number, fired: () => void): Timers {
  return {
    now: () => timers.now(),
    elapsed: () => timers.elapsed(),
    after: (delayMs, task) =>
      timers.after(slowness * delayMs, () => {
        task();
        fired();
      }),
  };
}

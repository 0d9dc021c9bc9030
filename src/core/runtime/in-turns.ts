// Walks a long list a slice at a time: between slices all other work of the thread runs. Any thread.

import { setImmediate as othersTurn } from 'node:timers/promises';

export async function* inTurns<T>(rows: Iterable<T>, rowsPerTurn: number): AsyncIterable<T> {
  let seen = 0;
  for (const row of rows) {
    seen += 1;
    if (seen % rowsPerTurn === 0) await othersTurn();
    yield row;
  }
}

// The profit of the day, compared with the day's first reading. The browser keeps its points across a reload. Browser.

import type { PodPositions } from '../../core/generated/api-types.ts';
import { type Day, totalOf, withPoint } from './pnl.ts';
import { signal } from './view.ts';

const NAME = 'crossbook pnl';

export class DayPnl {
  readonly day = signal<Day>({ date: '', points: [] });
  readonly #name: string;

  constructor(podId: string) {
    this.#name = `${NAME} ${podId}`;
    this.day.value = (JSON.parse(localStorage.getItem(this.#name) ?? 'null') as Day | null) ?? this.day.value;
  }

  take(positions: PodPositions, nowMs: number): void {
    const day = withPoint(this.day.value, totalOf(positions), nowMs);
    this.day.value = day;
    localStorage.setItem(this.#name, JSON.stringify(day));
  }
}

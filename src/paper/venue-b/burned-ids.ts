// The client order ids that a user has used, for good: a repeat is refused whatever has become of the order. Two generations,
// so that the oldest can be forgotten all at once when there are too many. Thread of the paper exchanges.

import { limits } from '../../limits.ts';

export class BurnedIds {
  #young = new Set<string>();
  #old = new Set<string>();

  has(id: string): boolean {
    return this.#young.has(id) || this.#old.has(id);
  }

  add(id: string): void {
    this.#young.add(id);
    if (this.#young.size < limits.paperClientOrderIdsPerUserMax / 2) return;
    this.#old = this.#young;
    this.#young = new Set();
  }
}

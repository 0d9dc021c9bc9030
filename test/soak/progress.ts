// The number of orders that have begun, for actions at a given number.

export class Progress {
  #begun = 0;
  #isOver = false;
  #waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  get isOver(): boolean {
    return this.#isOver;
  }

  step(): void {
    this.#begun += 1;
    this.#wake();
  }

  /** Marks that no more orders will begin. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Resolves when this many orders have begun, or when no more will begin. */
  reached(count: number): Promise<void> {
    return new Promise(resolve => {
      this.#waiting.push({ count, resolve });
      this.#wake();
    });
  }

  #wake(): void {
    const isDue = ({ count }: { readonly count: number }): boolean => this.#isOver || this.#begun >= count;
    for (const { resolve } of this.#waiting.filter(isDue)) resolve();
    this.#waiting = this.#waiting.filter(it => !isDue(it));
  }
}

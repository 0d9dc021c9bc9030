// A sum of integers that changes for months. Above 2^53 a plain number would lose its last digits for good.

const PART = 2 ** 40;

export class ExactSum {
  /** The sum. It is exact up to 2^53. Above that, it is never less than the exact sum. */
  value = 0;
  /** The sum is `#high` × 2^40 + `#low`. */
  #high = 0;
  #low = 0;

  /** Adds a safe integer. */
  add(integer: number): void {
    const sum = this.#low + integer;
    if (sum >= 0 && sum < PART) this.#low = sum;
    else {
      const high = Math.floor(integer / PART);
      const low = this.#low + (integer - high * PART);
      const carry = Math.floor(low / PART);
      this.#high += high + carry;
      this.#low = low - carry * PART;
    }
    this.value = this.#high * PART + this.#low;
  }
}

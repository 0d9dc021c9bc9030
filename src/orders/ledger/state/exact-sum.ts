// A sum of integers that is added to and taken from for months. A plain number would lose its last digits above 2^53, for good.

const PART = 2 ** 40;

export class ExactSum {
  /** Exact up to 2^53, and never less than that above. */
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

// Whether the ledger may lack news of an account. The news came while the private stream was down, or could not be recorded; a reading
// makes that good. Engine thread.

export class MissedNews {
  readonly #changed: (isBehind: boolean) => void;
  /** The number of times that news was missed; before the first reading some may be missing. */
  #count = 1;
  #isStreamUp = false;
  #isBehind = true;

  /** `changed` is called at each change of `isBehind`. */
  constructor(changed: (isBehind: boolean) => void) {
    this.#changed = changed;
  }

  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** The count for `readSince`. */
  get count(): number {
    return this.#count;
  }

  streamUp(): void {
    this.#isStreamUp = true;
  }

  streamDown(): void {
    this.#isStreamUp = false;
    this.missed();
  }

  missed(): void {
    this.#count += 1;
    this.#set(true);
  }

  /** A reading has succeeded. `count` is the count at its start. */
  readSince(count: number): void {
    if (this.#isStreamUp && count === this.#count) this.#set(false);
  }

  #set(isBehind: boolean): void {
    if (isBehind === this.#isBehind) return;
    this.#isBehind = isBehind;
    this.#changed(isBehind);
  }
}

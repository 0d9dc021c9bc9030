// Whether the ledger may lack what the venue has reported of an account. News came while its private stream was down, or could not be
// recorded; a reading makes that good. Engine thread.

export class MissedNews {
  readonly #changed: (isBehind: boolean) => void;
  /** How often news was missed; before the first reading there may be some. */
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

  /** To be given to `readSince`. */
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

  /** A reading has succeeded. `count`: at its start. */
  readSince(count: number): void {
    if (this.#isStreamUp && count === this.#count) this.#set(false);
  }

  #set(isBehind: boolean): void {
    if (isBehind === this.#isBehind) return;
    this.#isBehind = isBehind;
    this.#changed(isBehind);
  }
}

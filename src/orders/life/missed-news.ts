// Whether the ledger may lack news of an account: news that came while the private stream was down, or that could not be recorded. A
// reading makes up for them. Engine thread.

export class MissedNews {
  readonly #onChange: (isBehind: boolean) => void;
  /** The number of times that news was missed. It begins at 1, because news may be missing before the first reading. */
  #count = 1;
  #isStreamUp = false;
  #isBehind = true;

  /** Calls `onChange` at each change of `isBehind`. */
  constructor(onChange: (isBehind: boolean) => void) {
    this.#onChange = onChange;
  }

  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** The number of times that news was missed, to be passed to `noteRead`. */
  get count(): number {
    return this.#count;
  }

  noteUp(): void {
    this.#isStreamUp = true;
  }

  noteDown(): void {
    this.#isStreamUp = false;
    this.noteMissed();
  }

  noteMissed(): void {
    this.#count += 1;
    this.#set(true);
  }

  /** Notes that a reading has succeeded. `count` is the value of `count` at the start of the reading. */
  noteRead(count: number): void {
    if (this.#isStreamUp && count === this.#count) this.#set(false);
  }

  #set(isBehind: boolean): void {
    if (isBehind === this.#isBehind) return;
    this.#isBehind = isBehind;
    this.#onChange(isBehind);
  }
}

// Whether anything is under way in this process and another: the system says of each thread whether it sleeps, and how often it has run. A
// message on its way would have woken the thread that it goes to. Linux only. The stepper's thread.

import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';

/** Calls of the system in which a thread waits for another or for a message, on x86-64: read, poll, recvfrom, futex, epoll_wait and their kin. */
const WAITS = new Set([0, 7, 23, 35, 45, 47, 61, 128, 202, 230, 232, 247, 270, 271, 281, 441]);
const TEXT_BYTES = 128;
/** Looks after which a thread that has not run counts as one that seldom runs. */
const CALM = 64;
const BLANK = 32;
const CLOSING = 41;
const ZERO = 48;
const SLEEPS = 83;
/** How often the processes that the bot has started are found. */
const LOOKS_PER_FAMILY = 512;

/** The bot runs as another user, or Yama lets a process see its own children alone, as Ubuntu sets it. */
const FORBIDDEN = new Set(['EACCES', 'EPERM']);
const NOT_SEEN =
  '--speed max: the system does not show when the bot sleeps; set kernel.yama.ptrace_scope to 0, run both as one user, or give a number';

class Task {
  readonly #runs: number;
  readonly #state: number;
  readonly #call: number;
  /** How often it had run when it was last seen asleep; -1: it was awake. */
  #seen = -1;
  /** Looks since it ran last. */
  #calm = 0;

  constructor(path: string) {
    this.#runs = openSync(`${path}/schedstat`, 'r');
    this.#state = openSync(`${path}/stat`, 'r');
    this.#call = openSync(`${path}/syscall`, 'r');
  }

  /** `asleep`: since the last look. */
  look(text: Buffer): 'awake' | 'fell asleep' | 'asleep' {
    const before = this.#seen;
    this.#calm += 1;
    // The count comes first, so that a run after it shows later. A thread that seldom runs is counted by `sleepsStill` alone.
    const runs = this.#calm > CALM && before >= 0 ? before : this.#countRuns(text);
    this.#seen = this.#sleeps(text) && (runs === before || this.#waits(text)) ? runs : -1;
    if (this.#seen === before && before >= 0) return 'asleep';
    this.#calm = 0;
    return this.#seen < 0 ? 'awake' : 'fell asleep';
  }

  /** Since the last look. What that look read is true together then: the thread can have been woken between count and state. */
  sleepsStill(text: Buffer): boolean {
    if (this.#countRuns(text) === this.#seen) return true;
    this.#seen = -1;
    this.#calm = 0;
    return false;
  }

  #countRuns(text: Buffer): number {
    const length = readSync(this.#runs, text, 0, TEXT_BYTES, 0);
    return numberAt(text, text.lastIndexOf(BLANK, length - 1) + 1);
  }

  /** The letter is behind the name, which may hold a parenthesis. A thread that was woken, and that no core has taken yet, has another one. */
  #sleeps(text: Buffer): boolean {
    const length = readSync(this.#state, text, 0, TEXT_BYTES, 0);
    return text[text.lastIndexOf(CLOSING, length - 1) + 2] === SLEEPS;
  }

  /** It stays in this call until it runs again. The call alone is no proof of sleep: a woken thread has it until its core hears of it. */
  #waits(text: Buffer): boolean {
    readSync(this.#call, text, 0, TEXT_BYTES, 0);
    return WAITS.has(numberAt(text, 0));
  }

  close(): void {
    for (const file of [this.#runs, this.#state, this.#call]) closeSync(file);
  }
}

/** NaN without a digit. */
function numberAt(text: Buffer, from: number): number {
  let value = Number.NaN;
  for (let at = from; text[at]! >= ZERO && text[at]! <= ZERO + 9; at += 1) value = (value || 0) * 10 + text[at]! - ZERO;
  return value;
}

class WatchedProcess {
  readonly pid: number;
  readonly #path: string;
  readonly #folder: number;
  #tasks = new Map<number, Task>();
  #links = 0;

  /** Throws if there is no such process. */
  constructor(pid: number) {
    this.pid = pid;
    this.#path = `/proc/${pid}/task`;
    this.#folder = openSync(this.#path, 'r');
  }

  get tasks(): Iterable<Task> {
    return this.#tasks.values();
  }

  /** Finds new threads, and forgets those that have ended; false if there are none. `without`: a thread that is not watched. */
  refresh(without: number): boolean {
    const { nlink } = fstatSync(this.#folder);
    if (nlink === this.#links) return false;
    this.#links = nlink;
    const ids = readdirSync(this.#path).map(Number);
    const before = this.#tasks;
    this.#tasks = new Map();
    for (const id of ids) {
      if (id !== without) this.#tasks.set(id, before.get(id) ?? new Task(`${this.#path}/${id}`));
      before.delete(id);
    }
    for (const ended of before.values()) ended.close();
    return true;
  }

  close(): void {
    for (const task of this.#tasks.values()) task.close();
    closeSync(this.#folder);
  }
}

/** The processes that it has started; none if it has ended. */
function childrenOf(pid: number): number[] {
  const path = `/proc/${pid}/task`;
  try {
    const texts = readdirSync(path).map(id => readFileSync(`${path}/${id}/children`, 'latin1'));
    return texts.flatMap(text => text.match(/\d+/g) ?? []).map(Number);
  } catch {
    return [];
  }
}

export class AtRest {
  readonly #text = Buffer.alloc(TEXT_BYTES);
  readonly #own = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  #processes: WatchedProcess[] = [];
  /** All threads; those that were awake last come first. */
  #tasks: Task[] = [];
  #looks = 0;

  /** Watches this process, but not the calling thread; and another one, with all that it starts. 0: there is none. */
  constructor(other: number) {
    for (const pid of [process.pid, other]) if (pid !== 0) this.#watch(pid);
    // A shell or npx may be in front of the bot.
    this.#watchFamily();
  }

  /** Whether there was a moment since the last look at which all threads slept. Throws if the system does not let this process see them. */
  look(): boolean {
    this.#looks += 1;
    try {
      if (this.#looks % LOOKS_PER_FAMILY === 0) this.#watchFamily();
      // Not a short cut: each process has to be refreshed.
      if (this.#processes.filter(it => it.refresh(this.#own)).length > 0) {
        this.#tasks = this.#processes.flatMap(it => [...it.tasks]);
        return false;
      }
      let awake = this.#tasks.findIndex(task => task.look(this.#text) !== 'asleep');
      if (awake < 0) awake = this.#tasks.findIndex(task => !task.sleepsStill(this.#text));
      if (awake < 0) return true;
      this.#tasks.unshift(...this.#tasks.splice(awake, 1));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (FORBIDDEN.has(code)) throw new Error(NOT_SEEN, { cause: error });
      // A thread or a process has ended meanwhile.
      this.#begin();
    }
    return false;
  }

  #begin(): void {
    const pids = this.#processes.map(({ pid }) => pid);
    for (const it of this.#processes) it.close();
    this.#processes = [];
    for (const pid of pids) this.#watch(pid);
  }

  #watchFamily(): void {
    // It grows meanwhile.
    for (const { pid: parent } of this.#processes) {
      if (parent === process.pid) continue;
      for (const child of childrenOf(parent)) {
        if (!this.#processes.some(({ pid }) => pid === child)) this.#watch(child);
      }
    }
  }

  /** No-op if it has ended already. */
  #watch(pid: number): void {
    try {
      this.#processes.push(new WatchedProcess(pid));
    } catch {
      // It has nothing under way any more.
    }
  }
}

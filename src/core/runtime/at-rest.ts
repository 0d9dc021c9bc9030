// Finds whether anything is under way in this process and in another process. The system says of each thread whether it sleeps, and how
// often it has run. A message on its way would have woken its receiver. Linux only. The stepper's thread.

import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';

/**
 * The system calls in which a thread waits for another thread or for a message, by their numbers on x86-64. They are read, poll, recvfrom,
 * futex, epoll_wait and similar calls.
 */
const WAITS = new Set([0, 7, 23, 35, 45, 47, 61, 128, 202, 230, 232, 247, 270, 271, 281, 441]);
const TEXT_BYTES = 128;
/** After this many looks without a run, a thread counts as quiet. */
const QUIET_AFTER_LOOKS = 64;
const BLANK = 32;
const CLOSING = 41;
const ZERO = 48;
const SLEEPS = 83;
/** The children of the bot's process are looked up anew after this many looks. */
const LOOKS_PER_FAMILY = 512;

/**
 * The errors of a process that this process may not watch. The bot runs as another user, or Yama shows a process only its own children, as
 * on Ubuntu.
 */
const FORBIDDEN = new Set(['EACCES', 'EPERM']);
const NOT_SEEN =
  '--speed max: the system does not show when the bot sleeps; set kernel.yama.ptrace_scope to 0, run both as one user, or give a number';

class Task {
  readonly #runs: number;
  readonly #state: number;
  readonly #syscall: number;
  /** The thread's count of runs when it was last seen asleep. -1 means that the thread was awake. */
  #seen = -1;
  /** The number of looks since the thread last ran. */
  #looksSinceRun = 0;

  constructor(path: string) {
    this.#runs = openSync(`${path}/schedstat`, 'r');
    this.#state = openSync(`${path}/stat`, 'r');
    this.#syscall = openSync(`${path}/syscall`, 'r');
  }

  /** Looks at the thread. The result `asleep` means that the thread has slept since the last look. */
  look(text: Buffer): 'awake' | 'fell asleep' | 'asleep' {
    const before = this.#seen;
    this.#looksSinceRun += 1;
    // The run count is read before the state, so that a run in between shows at the next look. The count of a quiet thread is read by
    // `hasSleptSince` alone.
    const runs = this.#looksSinceRun > QUIET_AFTER_LOOKS && before >= 0 ? before : this.#countRuns(text);
    this.#seen = this.#sleeps(text) && (runs === before || this.#waits(text)) ? runs : -1;
    if (this.#seen === before && before >= 0) return 'asleep';
    this.#looksSinceRun = 0;
    return this.#seen < 0 ? 'awake' : 'fell asleep';
  }

  /**
   * Returns whether the thread has slept since the last look. `look` alone does not prove this: the thread may have been woken between its
   * readings of count and state.
   */
  hasSleptSince(text: Buffer): boolean {
    if (this.#countRuns(text) === this.#seen) return true;
    this.#seen = -1;
    this.#looksSinceRun = 0;
    return false;
  }

  #countRuns(text: Buffer): number {
    const length = readSync(this.#runs, text, 0, TEXT_BYTES, 0);
    return numberAt(text, text.lastIndexOf(BLANK, length - 1) + 1);
  }

  /**
   * Returns whether the state letter says that the thread sleeps. The letter follows the name, which may hold a parenthesis. A thread that
   * was woken shows another letter, even before a core runs it.
   */
  #sleeps(text: Buffer): boolean {
    const length = readSync(this.#state, text, 0, TEXT_BYTES, 0);
    return text[text.lastIndexOf(CLOSING, length - 1) + 2] === SLEEPS;
  }

  /**
   * Returns whether the thread waits in a system call. This alone does not prove that the thread sleeps: a woken thread shows the call
   * until a core runs it.
   */
  #waits(text: Buffer): boolean {
    readSync(this.#syscall, text, 0, TEXT_BYTES, 0);
    return WAITS.has(numberAt(text, 0));
  }

  close(): void {
    for (const file of [this.#runs, this.#state, this.#syscall]) closeSync(file);
  }
}

/** Returns the number in decimal digits that begins at `from`, or NaN if no digit is there. */
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

  /** Throws if the process does not exist. */
  constructor(pid: number) {
    this.pid = pid;
    this.#path = `/proc/${pid}/task`;
    this.#folder = openSync(this.#path, 'r');
  }

  get tasks(): Iterable<Task> {
    return this.#tasks.values();
  }

  /**
   * Finds new threads, and forgets threads that have ended. Returns false if nothing changed. `without` is a thread that is not watched.
   */
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

/** Returns the ids of the processes that the process has started; none if it has ended. */
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
  /** All watched threads. Threads that were awake at the last look come first. */
  #tasks: Task[] = [];
  #looks = 0;

  /**
   * Watches all threads of this process except the calling thread, and the process `other` with all its children. 0 means no other process.
   */
  constructor(other: number) {
    for (const pid of [process.pid, other]) if (pid !== 0) this.#watch(pid);
    // The process may be a shell or npx, which has started the bot.
    this.#watchFamily();
  }

  /** Returns whether all threads slept at one moment since the last look. Throws if the system does not let this process see them. */
  look(): boolean {
    this.#looks += 1;
    try {
      if (this.#looks % LOOKS_PER_FAMILY === 0) this.#watchFamily();
      // This uses filter instead of some, because every process must be refreshed.
      if (this.#processes.filter(it => it.refresh(this.#own)).length > 0) {
        this.#tasks = this.#processes.flatMap(it => [...it.tasks]);
        return false;
      }
      let awake = this.#tasks.findIndex(task => task.look(this.#text) !== 'asleep');
      if (awake < 0) awake = this.#tasks.findIndex(task => !task.hasSleptSince(this.#text));
      if (awake < 0) return true;
      this.#tasks.unshift(...this.#tasks.splice(awake, 1));
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (FORBIDDEN.has(code)) throw new Error(NOT_SEEN, { cause: error });
      // A thread or a process has ended meanwhile: open all files anew.
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
    // The loop also visits the children that it adds to the list.
    for (const { pid: parent } of this.#processes) {
      if (parent === process.pid) continue;
      for (const child of childrenOf(parent)) {
        if (!this.#processes.some(({ pid }) => pid === child)) this.#watch(child);
      }
    }
  }

  /** Watches a process; does nothing if the process has ended already. */
  #watch(pid: number): void {
    try {
      this.#processes.push(new WatchedProcess(pid));
    } catch {
      // A process that has ended has nothing under way.
    }
  }
}

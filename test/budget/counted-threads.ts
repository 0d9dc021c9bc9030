// The threads of a gateway that runs with `hook.ts`, from outside.

import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

/** `bytes`: allocated bytes and system calls; `calls`: calls and promises; `samples`: bytes by the function that allocates them. */
export type Counting = 'bytes' | 'calls' | 'samples';

/**
 * A count begins by its name and lasts until `end`. `settle`: the engine syncs the journal, or the history follows it. `compile` lets V8 compile functions
 * again, which it does not while it counts calls.
 */
export type ThreadCommand = Counting | 'name' | 'settle' | 'compile' | 'end';

export interface CountedFunction {
  /** File below src, name and place. */
  readonly at: string;
  /** Calls, or bytes. */
  readonly count: number;
}

export interface Tally {
  readonly promises: number;
  readonly messages: number;
  /** Calls of Atomics.notify. */
  readonly wakes: number;
  readonly journalWrites: number;
  readonly journalBytes: number;
  /** Allocated bytes of the heap. */
  readonly bytes: number;
  /** Growth of what is outside of the heap; freed buffers lessen it. */
  readonly buffers: number;
  readonly reads: number;
  readonly writes: number;
}

export interface Counts extends Tally {
  readonly functions: readonly CountedFunction[];
}

export class CountedThread {
  readonly name: string;
  readonly #socket: Socket;
  #text = '';
  #answered: (text: string) => void = () => {};

  static async open(path: string): Promise<CountedThread> {
    const socket = connect(path).setEncoding('utf8');
    await once(socket, 'connect');
    const unnamed = new CountedThread(socket, '');
    const name = await unnamed.ask<string>('name');
    socket.removeAllListeners('data');
    return new CountedThread(socket, name);
  }

  private constructor(socket: Socket, name: string) {
    this.name = name;
    this.#socket = socket;
    socket.on('data', text => {
      this.#text += text;
      if (!this.#text.endsWith('\n')) return;
      const answer = this.#text;
      this.#text = '';
      this.#answered(answer);
    });
  }

  ask<T>(command: ThreadCommand): Promise<T> {
    return new Promise(resolve => {
      this.#answered = text => resolve(JSON.parse(text) as T);
      this.#socket.write(command);
    });
  }

  close(): void {
    this.#socket.destroy();
  }
}

export async function openThreads(folder: string): Promise<CountedThread[]> {
  const paths = readdirSync(folder).filter(it => /^thread-\d+\.sock$/.test(it));
  return Promise.all(paths.map(path => CountedThread.open(join(folder, path))));
}

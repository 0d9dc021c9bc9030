// A thread or process that takes one question at a time and answers with one message.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { wordsOf } from '../../src/core/domain/error-words.ts';

const ANSWER_TIMEOUT_MS = 60_000;
/** The characters kept of a process's standard error, which are shown only if the process fails. */
const LAST_WORDS_CHARACTERS = 4_000;

export class Peer {
  readonly #remote: Worker | ChildProcess;
  readonly #name: string;
  #lastWords = '';

  static thread(file: URL, name: string, workerData: object): Peer {
    return new Peer(new Worker(file, { workerData }), name);
  }

  static process(file: URL, name: string): Peer {
    return new Peer(fork(file, { stdio: ['ignore', 'inherit', 'pipe', 'ipc'] }), name);
  }

  private constructor(remote: Worker | ChildProcess, name: string) {
    this.#remote = remote;
    this.#name = name;
    if (remote instanceof Worker) return;
    remote.stderr?.on('data', (text: Buffer) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS_CHARACTERS);
    });
  }

  /** Rejects if the other end fails or does not answer in time. */
  ask<Answer>(question: object): Promise<Answer> {
    const answer = this.hear<Answer>();
    if (this.#remote instanceof Worker) this.#remote.postMessage(question);
    else this.#remote.send(question);
    return answer;
  }

  /** Resolves with the next message of the other end. */
  async hear<Answer>(): Promise<Answer> {
    const remote: NodeJS.EventEmitter = this.#remote;
    const settled = new AbortController();
    const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
    try {
      const ended = once(remote, 'exit', { signal }).then(([code]) => {
        throw new Error(`ended with code ${code}\n${this.#lastWords}`);
      });
      const [answer] = (await Promise.race([once(remote, 'message', { signal }), ended])) as [Answer];
      return answer;
    } catch (error) {
      throw new Error(`${this.#name}: ${wordsOf(error)}`, { cause: error });
    } finally {
      settled.abort();
    }
  }

  /** Kills the process or thread at once. */
  async kill(): Promise<void> {
    if (this.#remote instanceof Worker) await this.#remote.terminate();
    else this.#remote.kill('SIGKILL');
  }
}

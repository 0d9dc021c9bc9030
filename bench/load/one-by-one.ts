// A caller that waits for each answer before the next request, on one connection.

import { monotonicMs } from './clock.ts';
import { HttpConnection } from './http-connection.ts';

export interface Answered {
  readonly status: number;
  /** The answer, with head and body. */
  readonly answer: Buffer;
  /** The microseconds from handing the request to the socket to reading the answer. */
  readonly us: number;
}

export class OneByOne {
  #connection: HttpConnection | null = null;
  #sentMs = 0;
  #settle: (answered: Answered) => void = () => {};

  static async open(port: number): Promise<OneByOne> {
    const caller = new OneByOne();
    caller.#connection = await HttpConnection.open(port, {
      onAnswer: (status, answer) => {
        const us = (monotonicMs() - caller.#sentMs) * 1_000;
        caller.#settle({ status, answer: Buffer.from(answer), us });
      },
      onClose: detail => {
        throw new Error(`the caller was disconnected: ${detail}`);
      },
    });
    return caller;
  }

  private constructor() {}

  ask(request: Buffer): Promise<Answered> {
    return new Promise(resolve => {
      this.#settle = resolve;
      this.#sentMs = monotonicMs();
      this.#connection?.send(request);
    });
  }

  close(): void {
    this.#connection?.close();
  }
}

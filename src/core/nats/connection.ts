// The only way to NATS: this file alone imports both packages. They are loaded at the first connection, so that a gateway without
// CROSSBOOK_NATS never reads them. A lost connection reconnects until the link is closed. Any thread.

import { connect } from 'node:net';
import type { MsgHdrs, NatsConnection } from '@nats-io/transport-node';
import { wordsOf } from '../domain/error-words.ts';
import type { NatsSettings } from './settings.ts';

/** The time-out of the first connection. A later connection is tried again after a pause. */
const CONNECT_MS = 3_000;
const RECONNECT_PAUSE_MS = 250;
/** The interval of pings. A connection that is silent for two intervals is given up: a blocked port breaks no connection. */
const PING_MS = 2_000;
const PINGS_MISSED_MAX = 2;

/** The error if NATS cannot be reached, or refuses. The message names the address of NATS. */
export class NatsError extends Error {
  override readonly name = 'NatsError';
}

export interface NatsMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  /** The subject for an answer, if the sender wants one. */
  readonly reply?: string | undefined;
  readonly headers?: Pick<MsgHdrs, 'get' | 'code' | 'description'> | undefined;
}

interface PublishOptions {
  /** The subject for the answer. */
  readonly reply?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Node = typeof import('@nats-io/transport-node');

export class NatsLink {
  readonly #connection: NatsConnection;
  readonly #node: Node;
  readonly #listeners = new Set<(isUp: boolean) => void>();
  readonly #refusalListeners = new Set<(words: string) => void>();
  #isUp = true;
  /** The longest message that the server takes. It is kept here, because the connection forgets it while it reconnects. */
  #messageBytesMax = 0;

  /** Connects. `name` shows in the server's lists of connections. Rejects with a NatsError if no server answers, or if all refuse. */
  static async connect({ servers, credentials }: NatsSettings, name: string): Promise<NatsLink> {
    const node = await import('@nats-io/transport-node');
    try {
      await requireGreeting(servers, CONNECT_MS);
      const connection = await node.connect({
        name,
        servers: [...servers],
        timeout: CONNECT_MS,
        noEcho: true,
        noAsyncTraces: true,
        maxReconnectAttempts: -1,
        reconnectTimeWait: RECONNECT_PAUSE_MS,
        ignoreAuthErrorAbort: true,
        pingInterval: PING_MS,
        maxPingOut: PINGS_MISSED_MAX,
        ...(servers.every(it => it.startsWith('tls:')) ? { tls: {} } : {}),
        ...(credentials === null
          ? {}
          : { authenticator: node.credsAuthenticator(new TextEncoder().encode(credentials)) }),
      });
      return new NatsLink(connection, node);
    } catch (error) {
      throw new NatsError(`NATS ${servers.join(', ')}: ${wordsOf(error)}`);
    }
  }

  private constructor(connection: NatsConnection, node: Node) {
    this.#connection = connection;
    this.#node = node;
    this.#learn();
    void this.#watch();
  }

  /** Whether the connection is up, as far as this side knows. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** The length of the longest message that the server takes. */
  get messageBytesMax(): number {
    return this.#messageBytesMax;
  }

  /** Calls `listener` when the connection is lost and when it is back, until the returned function is called. */
  onChange(listener: (isUp: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `listener` with each error of the server, such as a subject that is not permitted, until the returned function is called. */
  onRefusal(listener: (words: string) => void): () => void {
    this.#refusalListeners.add(listener);
    return () => this.#refusalListeners.delete(listener);
  }

  /**
   * Publishes a message. `data` is kept until it is sent, so it must not change. Throws a NatsError once the link is closed. While the
   * connection is down, the message is sent later.
   */
  publish(subject: string, data: Uint8Array, { reply, headers }: PublishOptions = {}): void {
    const options = { ...(reply === undefined ? {} : { reply }), ...this.#headersOf(headers) };
    try {
      this.#connection.publish(subject, data, options);
    } catch (error) {
      throw new NatsError(`NATS: ${wordsOf(error)}`);
    }
  }

  /** Hears messages in the sequence of their publisher, without this link's own messages, until the returned function is called. */
  subscribe(subject: string, listener: (message: NatsMessage) => void): () => void {
    const subscription = this.#connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) deliver(listener, message);
      },
    });
    return () => subscription.unsubscribe();
  }

  /** Resolves when the server has read all messages that were published before. Rejects if the connection is lost before that. */
  flush(): Promise<void> {
    return this.#connection.flush();
  }

  /** Returns a subject that belongs to this link alone. */
  inbox(): string {
    return this.#node.createInbox();
  }

  /** Returns JetStream over this connection: its `streams`, and the readers of streams (`consumers`). */
  async jetStream(answerMs: number) {
    const { jetstream, jetstreamManager } = await import('@nats-io/jetstream');
    const { streams } = await jetstreamManager(this.#connection, { timeout: answerMs, checkAPI: false });
    const { consumers } = jetstream(this.#connection, { timeout: answerMs });
    return { streams, consumers };
  }

  /** Sends waiting messages if the connection is up, then ends the connection. */
  async close(): Promise<void> {
    if (this.#isUp) await this.#connection.flush().catch(() => {});
    await this.#connection.close();
  }

  #headersOf(named: PublishOptions['headers']): { readonly headers?: MsgHdrs } {
    if (named === undefined) return {};
    const headers = this.#node.headers();
    for (const [name, value] of Object.entries(named)) headers.set(name, value);
    return { headers };
  }

  async #watch(): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type === 'disconnect') this.#set(false);
      if (status.type === 'error') for (const listener of this.#refusalListeners) listener(wordsOf(status.error));
      if (status.type !== 'reconnect') continue;
      this.#learn();
      this.#set(true);
    }
  }

  #learn(): void {
    this.#messageBytesMax = this.#connection.info?.max_payload ?? this.#messageBytesMax;
  }

  #set(isUp: boolean): void {
    this.#isUp = isUp;
    for (const listener of this.#listeners) listener(isUp);
  }
}

/** Passes a message on. A fault of `listener` ends the thread, as faults do everywhere: the package would log it and read no more. */
function deliver(listener: (message: NatsMessage) => void, message: NatsMessage): void {
  try {
    listener(message);
  } catch (fault) {
    queueMicrotask(() => {
      throw fault;
    });
  }
}

// Checks whether a server of NATS is at an address: a server greets each connection. The package never closes a connection that is accepted
// but not greeted, as by a server that hangs. So the package connects only after this check.

/** Resolves once one of the servers has greeted. If no server greets within the time, rejects with the fault of the first server. */
async function requireGreeting(servers: readonly string[], withinMs: number): Promise<void> {
  try {
    await Promise.any(servers.map(server => whenGreeted(new URL(server), withinMs)));
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

function whenGreeted({ hostname, port }: URL, withinMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(Number(port), hostname);
  const timer = setTimeout(() => socket.destroy(new Error(`no greeting within ${withinMs} ms`)), withinMs);
  socket.once('data', () => {
    resolve();
    socket.destroy();
  });
  socket.once('error', reject);
  socket.once('close', () => {
    clearTimeout(timer);
    reject(new Error('closed without a greeting'));
  });
  return promise;
}

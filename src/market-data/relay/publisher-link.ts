// A reader's link to a publisher: one connection to NATS, and the choice of the publisher. A reader follows the first publisher that it
// hears. It changes to another publisher when the followed one has ended, or has been silent for as long as books need to become STALE.
// Feed threads and main thread of a reader.

import { wordsOf } from '../../core/domain/error-words.ts';
import { marketKey, type Venue } from '../../core/domain/market.ts';
import { NatsLink } from '../../core/nats/connection.ts';
import type { NatsSettings } from '../../core/nats/settings.ts';
import type { Log } from '../../core/runtime/log.ts';
import { type Timers, wallTimers } from '../../core/runtime/timers.ts';
import { faulty, type MarketReading, type ReadVenue } from '../../venues/market-read.ts';
import type { TermsReading } from '../../venues/trading-terms.ts';
import {
  ANSWER_MS,
  decodeTermsReply,
  ENDS,
  encodeTermsRequest,
  PULSES,
  publisherOf,
  REPEAT_MS,
  SILENCE_MS,
  termsSubject,
} from './protocol.ts';

interface PublisherLinkParts {
  readonly nats: NatsSettings;
  /** The name of the connection in the NATS server's list of connections. */
  readonly name: string;
  readonly timers: Timers;
  readonly log: Log;
}

interface PublisherLinkHandlers {
  /** Called when the connection to NATS stands, the first time or again. */
  onUp(): void;
  onDown(): void;
  /** Called when `id` has changed to the first publisher, or to another one. No subject of the new publisher is subscribed yet. */
  onPublisher(): void;
}

type SubjectOf = (publisher: string) => string;

export class PublisherLink {
  readonly #parts: PublisherLinkParts;
  readonly #handlers: PublisherLinkHandlers;
  #link: NatsLink | null = null;
  #id: string | null = null;
  #lastPulseAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #hasReportedRefusal = false;
  #cancelRetry: () => void = () => {};
  /** Waiting requests by the last token of their answer's subject. */
  readonly #waiting = new Map<string, (answer: Uint8Array | null) => void>();
  #inbox = '';
  #requests = 0;

  constructor(parts: PublisherLinkParts, handlers: PublisherLinkHandlers) {
    this.#parts = parts;
    this.#handlers = handlers;
  }

  /** Tries to connect until an attempt succeeds. A lost connection reconnects by itself. */
  start(): void {
    const { nats, name, timers, log } = this.#parts;
    NatsLink.connect(nats, name).then(
      link => this.#connected(link),
      (error: unknown) => {
        if (this.#isClosed) return;
        log.warn('NATS cannot be reached', { error: wordsOf(error) });
        this.#cancelRetry = timers.after(REPEAT_MS, () => this.start());
      },
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelRetry();
    this.#answerAll();
    await this.#link?.close();
  }

  get isUp(): boolean {
    return this.#link?.isUp ?? false;
  }

  /** The id of the publisher that is followed. Null means that no publisher was heard yet. */
  get id(): string | null {
    return this.#id;
  }

  /** Whether the publisher has given a sign of life lately. */
  get isPublisherAlive(): boolean {
    return this.isUp && this.#parts.timers.elapsed() - this.#lastPulseAt <= SILENCE_MS;
  }

  /**
   * Subscribes to a subject of the publisher: `listener` gets messages until the returned function is called. Does nothing while there is
   * no publisher.
   */
  subscribe(subjectOf: SubjectOf, listener: (bytes: Uint8Array) => void): () => void {
    if (this.#link === null || this.#id === null) return () => {};
    return this.#link.subscribe(subjectOf(this.#id), ({ data }) => listener(data));
  }

  /** Sends a message to the publisher. The message is dropped while NATS is not connected, or no publisher was heard. */
  send(subjectOf: SubjectOf, bytes: Uint8Array): void {
    if (this.isUp && this.#id !== null) this.#link?.publish(subjectOf(this.#id), bytes);
  }

  /** Sends a request and resolves with the answer. Resolves with null if no answer comes within ANSWER_MS, or if the connection is lost. */
  request(subjectOf: SubjectOf, bytes: Uint8Array): Promise<Uint8Array | null> {
    const link = this.#link;
    if (link === null || !link.isUp || this.#id === null) return Promise.resolve(null);
    this.#requests += 1;
    const tag = String(this.#requests);
    const { promise, resolve } = Promise.withResolvers<Uint8Array | null>();
    const cancel = this.#parts.timers.after(ANSWER_MS, () => this.#answer(tag, null));
    this.#waiting.set(tag, answer => {
      cancel();
      resolve(answer);
    });
    link.publish(subjectOf(this.#id), bytes, { reply: `${this.#inbox}.${tag}` });
    return promise;
  }

  #connected(link: NatsLink): void {
    if (this.#isClosed) {
      void link.close();
      return;
    }
    this.#link = link;
    this.#inbox = link.inbox();
    link.subscribe(`${this.#inbox}.*`, ({ subject, data, headers }) => {
      // An answer with headers is the server's own: the request's subject has no listener.
      this.#answer(publisherOf(subject), headers === undefined ? data : null);
    });
    link.subscribe(PULSES, ({ subject }) => this.#handlePulse(publisherOf(subject)));
    link.subscribe(ENDS, ({ subject }) => {
      if (publisherOf(subject) === this.#id) this.#lastPulseAt = Number.NEGATIVE_INFINITY;
    });
    link.onRefusal(words => this.#logRefusalOnce(words));
    link.onChange(isUp => {
      this.#hasReportedRefusal = false;
      this.#parts.log.warn(isUp ? 'NATS connected again' : 'NATS connection lost');
      if (isUp) this.#handlers.onUp();
      else {
        this.#answerAll();
        this.#handlers.onDown();
      }
    });
    this.#handlers.onUp();
  }

  /** Logs that NATS refuses a subject, once for each connection: a request that is not permitted is repeated every second. */
  #logRefusalOnce(words: string): void {
    if (this.#hasReportedRefusal) return;
    this.#hasReportedRefusal = true;
    this.#parts.log.warn('NATS refuses a subject', { error: words });
  }

  #handlePulse(publisher: string): void {
    const now = this.#parts.timers.elapsed();
    const isOther = publisher !== this.#id;
    if (isOther && now - this.#lastPulseAt <= SILENCE_MS) return;
    this.#lastPulseAt = now;
    if (!isOther) return;
    this.#id = publisher;
    this.#parts.log.info('follows a publisher of books', { publisher });
    this.#answerAll();
    this.#handlers.onPublisher();
  }

  #answer(tag: string, answer: Uint8Array | null): void {
    this.#waiting.get(tag)?.(answer);
    this.#waiting.delete(tag);
  }

  #answerAll(): void {
    for (const tag of [...this.#waiting.keys()]) this.#answer(tag, null);
  }
}

export class RelayTerms {
  readonly #publisher: PublisherLink;

  constructor(nats: NatsSettings, log: Log) {
    const nobody = { onUp: () => {}, onDown: () => {}, onPublisher: () => {} };
    this.#publisher = new PublisherLink({ nats, name: 'crossbook terms', timers: wallTimers, log }, nobody);
    this.#publisher.start();
  }

  /** Answers that the venue is not configured. The older family reads at the venues, and a reader's gateway has none. */
  read(venue: ReadVenue): Promise<MarketReading> {
    return Promise.resolve(faulty(venue, 'is not configured'));
  }

  /** Never rejects. */
  async terms(venue: Venue, address: string): Promise<TermsReading> {
    const answer = await this.#publisher.request(termsSubject, encodeTermsRequest(marketKey(venue, address)));
    if (answer === null) return faulty(venue, 'the gateway that publishes its books does not answer');
    try {
      return decodeTermsReply(answer, wallTimers.now());
    } catch {
      return faulty(venue, 'the gateway that publishes its books answers what cannot be read');
    }
  }

  close(): Promise<void> {
    return this.#publisher.close();
  }
}

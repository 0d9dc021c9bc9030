// Terms of markets on a reader without venues: the publisher reads them. Takes the place of MarketReads. Main thread of a reader.

import { marketKey, type Venue } from '../../core/domain/market.ts';
import type { NatsSettings } from '../../core/nats/settings.ts';
import type { Log } from '../../core/runtime/log.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { faulty, type MarketReading, type ReadVenue } from '../../venues/market-read.ts';
import type { TermsReading } from '../../venues/trading-terms.ts';
import { decodeTermsReply, encodeTermsRequest, termsSubject } from './protocol.ts';
import { PublisherLink } from './publisher-link.ts';

export class RelayTerms {
  readonly #publisher: PublisherLink;

  constructor(nats: NatsSettings, log: Log) {
    const nobody = { onUp: () => {}, onDown: () => {}, onPublisher: () => {} };
    this.#publisher = new PublisherLink({ nats, name: 'crossbook terms', timers: wallTimers, log }, nobody);
    this.#publisher.start();
  }

  /** The older family reads at venues, which this gateway does not have. */
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

// The events of the catalog with the names of their competitions: when and where the event of a market starts. Browser.

import type { Competition, Event } from '../../core/generated/api-types.ts';
import type { GatewayApi } from './gateway-api.ts';
import { signal } from './view.ts';

type Scheduled = Pick<Event, 'startsAt' | 'status'> & { readonly competition: string };

const PAGE_SIZE = 100;
const AGAIN_MS = 60_000;
const RETRY_MS = 2_000;

export class Schedule {
  readonly #events = signal<ReadonlyMap<string, Scheduled>>(new Map());
  /** Resolves once the schedule was read for the first time, or could not be read. */
  readonly isTried: Promise<void>;
  readonly #api: GatewayApi;
  #isClosed = false;

  constructor(api: GatewayApi) {
    this.#api = api;
    const first = this.#read();
    this.isTried = first.then(() => {});
    void this.#repeat(first);
  }

  of(eventId: string | null): Scheduled | null {
    return eventId === null ? null : (this.#events.value.get(eventId) ?? null);
  }

  close(): void {
    this.#isClosed = true;
  }

  async #repeat(first: Promise<boolean>): Promise<void> {
    let isRead = await first;
    while (!this.#isClosed) {
      await new Promise(resolve => setTimeout(resolve, isRead ? AGAIN_MS : RETRY_MS));
      isRead = await this.#read();
    }
  }

  /** Reads the schedule. Returns false if a part could not be read. The events that were read before then stay. */
  async #read(): Promise<boolean> {
    const competitions = await this.#api.ask('listCompetitions');
    if (!competitions.ok) return false;
    const names = new Map(competitions.value.competitions.map(({ id, name }: Competition) => [id, name]));
    const events = new Map<string, Scheduled>();
    let pageToken: string | null = null;
    do {
      const query: Record<string, string | number> = pageToken === null ? { pageSize: PAGE_SIZE } : { pageToken };
      const page = await this.#api.ask('listEvents', { query });
      if (!page.ok || this.#isClosed) return false;
      for (const { id, startsAt, status, competition } of page.value.events) {
        events.set(id, { startsAt, status, competition: names.get(competition) ?? competition });
      }
      pageToken = page.value.nextPageToken;
    } while (pageToken !== null);
    this.#events.value = events;
    return true;
  }
}

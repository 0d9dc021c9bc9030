// Finds the group of a venue E market. No route states it, so this reads the venue's list of groups, newest first, page by page,
// until the market appears. It caches all groups on the way. Thread of the market reads.

import { isObject, objectsOf } from '../../domain/json.ts';
import { limits } from '../../limits.ts';
import type { Timers } from '../../runtime/timers.ts';
import { busy, faulty, type ReadFailure } from '../market-read.ts';
import type { MarketReadHttp } from '../market-read-http.ts';
import { unwrap } from './envelope.ts';
import { idOf, readMarketDocument, type VenueEGroup } from './market-document.ts';

export type GroupFound =
  | { readonly type: 'group'; readonly group: VenueEGroup }
  /** The market belongs to no group. */
  | { readonly type: 'none' }
  | { readonly type: 'failed'; readonly failure: ReadFailure };

/** Result of a walk through the list, for markets that it did not find. */
interface Walked {
  readonly absence: GroupFound;
  /** An immediate second walk would give the same result. */
  readonly isFinal: boolean;
}

const LIST = '/market?marketType=1&sortBy=1&limit=20&page=';
const NONE: GroupFound = { type: 'none' };

export class VenueEGroups {
  readonly #http: MarketReadHttp;
  readonly #timers: Timers;
  /** By market id. */
  #groups = new Map<string, VenueEGroup>();
  #readAt = Number.NEGATIVE_INFINITY;
  #absence: GroupFound = NONE;
  #walk: Walk | null = null;

  constructor(http: MarketReadHttp, timers: Timers) {
    this.#http = http;
    this.#timers = timers;
  }

  async groupOf(marketId: string, deadlineMs: number): Promise<GroupFound> {
    const ageMs = this.#timers.elapsed() - this.#readAt;
    const ageMaxMs = this.#groups.has(marketId) ? limits.venueEGroupTermsMs : limits.venueEGroupsMs;
    if (ageMs >= ageMaxMs) this.#walk ??= this.#begin();
    for (;;) {
      const group = this.#groups.get(marketId);
      if (group !== undefined) return { type: 'group', group };
      if (this.#walk === null) return this.#absence;
      const isInTime = await this.#pageBefore(this.#walk, deadlineMs);
      if (!isInTime) {
        return { type: 'failed', failure: busy(this.#http.venue, 'its groups of markets are still being read', 1_000) };
      }
    }
  }

  #begin(): Walk {
    const walk: Walk = { page: Promise.withResolvers() };
    void this.#readPages(walk).then(({ absence, isFinal }) => {
      this.#absence = absence;
      if (isFinal) this.#readAt = this.#timers.elapsed();
      this.#walk = null;
      walk.page.resolve();
    });
    return walk;
  }

  /** False: no page came in time. */
  async #pageBefore({ page }: Walk, deadlineMs: number): Promise<boolean> {
    const late = Promise.withResolvers<false>();
    const cancel = this.#timers.after(deadlineMs - this.#timers.elapsed(), () => late.resolve(false));
    const isInTime = await Promise.race([page.promise.then(() => true), late.promise]);
    cancel();
    return isInTime;
  }

  async #readPages(walk: Walk): Promise<Walked> {
    const seen = new Map<string, VenueEGroup>();
    for (let page = 1; page <= limits.venueEGroupPagesMax; page += 1) {
      const answer = await this.#http.get(LIST + page, this.#http.deadline());
      if (answer.type !== 'json') return broken(answer);
      const list = unwrap(answer);
      if (list.type === 'odd') return broken(faulty(this.#http.venue, list.words));
      const groups = list.type === 'result' ? objectsOf(list.result.list) : [];
      if (groups.length === 0) {
        // The list is complete: a market that is not in it has no group.
        this.#groups = seen;
        return { absence: NONE, isFinal: true };
      }
      for (const group of groups) this.#learn(group, seen);
      this.#turnPage(walk);
    }
    const words = `more than ${limits.venueEGroupPagesMax} pages of groups (venueEGroupPagesMax)`;
    return { ...broken(faulty(this.#http.venue, words)), isFinal: true };
  }

  #learn(data: unknown, seen: Map<string, VenueEGroup>): void {
    const document = readMarketDocument(data);
    if (document.type !== 'group') return;
    for (const member of document.members.filter(isObject)) {
      const id = idOf(member);
      if (id === null || seen.size >= limits.venueEGroupMarketsMax) continue;
      seen.set(id, document.group);
      if (this.#groups.has(id) || this.#groups.size < limits.venueEGroupMarketsMax)
        this.#groups.set(id, document.group);
    }
  }

  #turnPage(walk: Walk): void {
    const { page } = walk;
    walk.page = Promise.withResolvers();
    page.resolve();
  }
}

function broken(failure: ReadFailure): Walked {
  return { absence: { type: 'failed', failure }, isFinal: false };
}

interface Walk {
  /** Settles when the current page is read. */
  page: PromiseWithResolvers<void>;
}

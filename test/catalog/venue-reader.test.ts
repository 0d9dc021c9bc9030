// The reading of a venue's list over time: page by page, slowly. A failed page is requested again, new listings appear between full readings, and
// removed listings disappear with the next full reading. A scripted venue B stands behind the real reader of pages; only the test moves the clock.

import { beforeEach, describe, expect, it } from 'vitest';
import { KnownEvents } from '../../src/catalog/known-events.ts';
import { VenueReader } from '../../src/catalog/venue-reader.ts';
import type { HttpGet } from '../../src/core/net/http.ts';
import { limits } from '../../src/limits.ts';
import type { VenueDiscovery } from '../../src/venues/discovery.ts';
import { venueBDiscovery } from '../../src/venues/venue-b/discovery.ts';
import { venueCDiscovery } from '../../src/venues/venue-c/discovery.ts';
import { VirtualTimers } from '../support/virtual-timers.ts';
import { venueBEvent, venueBMarket } from './venue-objects.ts';

const EVENT = (name: string, more = {}) => venueBEvent(`KX-${name}`, [venueBMarket(`KX-${name}-1`, more)]);

let timers: VirtualTimers;
let known: KnownEvents;
let reader: VenueReader;
let get: HttpGet;
let asked: URL[];
let reported: string[];
/** The venue's answer to a request. It throws to simulate a missing answer. */
let answer: (url: URL) => object;

beforeEach(() => {
  timers = new VirtualTimers();
  known = new KnownEvents(5);
  asked = [];
  reported = [];
  get = async text => {
    const url = new URL(text);
    asked.push(url);
    return { status: 200, body: JSON.stringify(answer(url)) };
  };
  const sign = () => ({});
  reader = readerOf(venueBDiscovery({ restUrl: 'http://venue', sign, get, timers }));
});

function readerOf(discovery: VenueDiscovery): VenueReader {
  return new VenueReader({
    discovery,
    known,
    timers,
    onChange: () => reported.push('change'),
    onRead: () => reported.push('read'),
    onFailure: words => reported.push(words),
    onLeftOut: (why, objects) => reported.push(`${why} ${objects}`),
  });
}

const events = () => asked.filter(({ pathname }) => pathname === '/events');
const parameter = (name: string) => events().map(url => url.searchParams.get(name));
const names = () => known.all().map(({ eventId }) => eventId);

async function turns(count: number, byMs: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await timers.settle(byMs);
}

describe('a venue’s list', () => {
  it('is read page by page with a pause between, and shown as it comes', async () => {
    const pages: Record<string, object> = {
      '': { events: [EVENT('A')], cursor: 'x&y' },
      'x&y': { events: [EVENT('B')], cursor: 'z' },
      z: { events: [EVENT('C')], cursor: '' },
    };
    answer = url => pages[url.searchParams.get('cursor') ?? '']!;
    void reader.run();
    await turns(3, 0);
    expect([names(), reported]).toEqual([['KX-A'], ['change']]);
    await turns(3, limits.catalogPagePauseMs - 1);
    expect(names()).toEqual(['KX-A', 'KX-B']);
    await turns(2, limits.catalogPagePauseMs);
    expect([names(), reported]).toEqual([
      ['KX-A', 'KX-B', 'KX-C'],
      ['change', 'change', 'change', 'read'],
    ]);
    expect(parameter('cursor')).toEqual([null, 'x&y', 'z']);
    reader.stop();
  });

  it('of venue C is requested once a second, without a request for news', async () => {
    const event = (event_id: number) => ({ event_id, name: 'x', scheduled: '2026-11-21T03:00:00Z', status: 'live' });
    const sport_events = Array.from({ length: limits.catalogVenueCRowsPerPageMax + 1 }, (_, at) => event(at + 1));
    answer = ({ pathname }) => ({ data: pathname.endsWith('get_sport_events') ? { sport_events } : {} });
    const ofC = readerOf(venueCDiscovery({ url: 'http://venue', apiKey: 'k', get }));
    void ofC.run();
    await turns(3, 0);
    const counts = [asked.length];
    for (let second = 0; second < 2; second++) {
      await turns(1, 999);
      counts.push(asked.length);
      await turns(1, 1);
      await turns(2, 0);
      counts.push(asked.length);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3]);
    expect(reported.at(-1)).toBe('read');
    await turns(2, limits.catalogNewsMs);
    expect(asked).toHaveLength(3);
    ofC.stop();
  });

  it('is asked for news, and read anew when it is old: a listing that is gone leaves then, an ended one at once', async () => {
    let listed = [EVENT('A'), EVENT('B'), EVENT('C')];
    answer = url => {
      if (url.searchParams.get('status') === 'open') return { events: listed };
      return { events: [EVENT('B', { status: 'determined' }), EVENT('D')] };
    };
    void reader.run();
    await turns(3, 0);
    expect(names()).toEqual(['KX-A', 'KX-B', 'KX-C']);
    const startedAt = timers.now();
    listed = [EVENT('A')];
    await turns(2, limits.catalogNewsMs);
    expect(names()).toEqual(['KX-A', 'KX-C', 'KX-D']);
    expect(parameter('min_updated_ts')[1]).toBe(String(Math.floor((startedAt - limits.catalogNewsOverlapMs) / 1_000)));
    answer = () => ({ events: listed });
    await turns(limits.catalogReadMs / limits.catalogNewsMs + 2, limits.catalogNewsMs);
    expect(names()).toEqual(['KX-A']);
    reader.stop();
  });

  it('stays as it is while the venue fails, and is requested in smaller pages after longer pauses', async () => {
    let isDown = true;
    answer = () => {
      if (isDown) throw new Error('connection refused');
      return { events: [EVENT('A')] };
    };
    void reader.run();
    await turns(3, 0);
    expect(reported).toEqual(['connection refused']);
    await turns(2, limits.catalogBackoffMinMs - 1);
    expect(parameter('limit').map(Number)).toEqual([200, 100]);
    await turns(20, limits.catalogBackoffMaxMs);
    expect(events().length).toBeGreaterThan(10);
    // The attempts come often at first, and at most once a minute in the end.
    isDown = false;
    reported = [];
    await turns(3, limits.catalogBackoffMaxMs);
    expect([names(), reported.slice(0, 2)]).toEqual([['KX-A'], ['change', 'read']]);
    isDown = true;
    await turns(6, limits.catalogNewsMs);
    expect([names(), reported.at(-1)]).toEqual([['KX-A'], 'connection refused']);
    reader.stop();
  });

  it('whose page leads nowhere is read from the start', async () => {
    answer = url => {
      if (url.searchParams.get('cursor') !== null) throw new Error('no such cursor');
      return { events: [EVENT('A')], cursor: 'x' };
    };
    void reader.run();
    await turns(3 * limits.catalogPageAttemptsMax, limits.catalogBackoffMaxMs);
    const cursors = parameter('cursor');
    const attempts = Array.from({ length: limits.catalogPageAttemptsMax }, () => 'x');
    expect(cursors.slice(0, limits.catalogPageAttemptsMax + 2)).toEqual([null, ...attempts, null]);
    expect(reported).not.toContain('read');
    reader.stop();
  });

  it('whose pages have no end is given up after catalogPagesMax of them, and read from the start', async () => {
    answer = () => ({ events: [], cursor: `x${asked.length}` });
    void reader.run();
    await turns(limits.catalogPagesMax + 10, limits.catalogBackoffMinMs);
    expect(reported).toEqual(['the pages have no end (catalogPagesMax)']);
    expect(parameter('cursor').lastIndexOf(null)).toBe(limits.catalogPagesMax);
    reader.stop();
  });

  it('reports what was left out: malformed objects, and those beyond its bound', async () => {
    const many = venueBEvent(
      'KX-M',
      Array.from({ length: 5 }, (_, index) => venueBMarket(`KX-M-${index}`)),
    );
    answer = () => ({ events: [EVENT('A'), 'x', { title: 'no ticker' }, venueBEvent('KX-S', [{}]), many] });
    void reader.run();
    await turns(3, 0);
    expect(reported).toEqual(['malformed 3', 'no-room 5', 'change', 'read']);
    expect(names()).toEqual(['KX-A']);
    reader.stop();
  });

  it.each([
    ['no JSON', 'x'],
    ['no object', '[]'],
    ['no list', '{"events":7}'],
  ])('that is %s is a failure', async (_what, body) => {
    const get = async () => ({ status: 200, body });
    const discovery = venueBDiscovery({ restUrl: 'http://venue', sign: () => ({}), get, timers });
    expect((await discovery.news(timers.now(), null, 1)).ok).toBe(false);
  });

  it('is read no more once it is stopped, in the middle of a pause or of a page', async () => {
    answer = () => ({ events: [EVENT('A')], cursor: 'x' });
    const running = reader.run();
    await turns(2, 0);
    reader.stop();
    await running;
    expect([timers.pending, reported.includes('read')]).toEqual([0, false]);
  });
});

// Venue B's market data: from the raw bytes of a frame to the book of one of 5 000 markets.
//
//   feed/venue-b            scanner and book, tape included; deltas laid out as the venue's are
//   feed/venue-b-any-order  the same with the keys of every frame in an order of its own
//   feed/venue-b-handled    all that the feed does with a frame: subscription, sequence rule, counters, book
//
// each against JSON.parse alone of the same frames: of strings made beforehand, and of the bytes. Checksums of subscribed
// books are not part of it: the stream's benchmarks measure them.

import {
  alternate,
  type BenchOptions,
  type BenchRow,
  type BenchSuite,
  median,
  row,
  timesLess,
  type Work,
} from './harness.ts';
import { circling, Feed, framesOf, tickersOf } from './venue-b-workload.ts';

export const suite: BenchSuite = {
  name: 'feed/venue-b',
  async run(options) {
    const tickers = tickersOf(options.smoke ? 50 : 5_000);
    const usual = framesOf(tickers, false);
    const feed = new Feed(tickers);
    return [
      ...rows('feed/venue-b', usual, frames => feed.scanning(frames), options),
      ...rows('feed/venue-b-any-order', framesOf(tickers, true), frames => feed.scanning(frames), options),
      ...rows('feed/venue-b-handled', usual, frames => feed.handling(frames), options),
    ];
  },
};

function rows(
  name: string,
  texts: readonly string[],
  workOn: (frames: readonly Buffer[]) => Work,
  options: BenchOptions,
): BenchRow[] {
  const frames = texts.map(text => Buffer.from(text));
  const work = workOn(frames);
  const parse = (textAt: (index: number) => string) =>
    circling(texts.length, at => (JSON.parse(textAt(at)) as { seq: number }).seq);
  const works = [work, parse(index => texts[index]!), parse(index => frames[index]!.toString())];
  const [own, strings, bytes] = alternate(works, options) as [number[], number[], number[]];
  const against = (baseline: string, baselineNs: readonly number[]): BenchRow => ({
    name,
    value: median(own),
    unit: 'ns',
    baseline,
    ratio: timesLess(own, baselineNs),
  });
  return [
    against('JSON.parse of strings', strings),
    { ...against('JSON.parse of bytes', bytes), name: `${name}-from-bytes` },
    row(`${name}-garbage`, garbage(work, texts.length), 'bytes'),
  ];
}

/** Returns the heap that one frame leaves behind, over one circle of a warm feed. It is not 0, because the circle's start allocates. */
function garbage(work: Work, frames: number): number {
  const before = process.memoryUsage().heapUsed;
  work(frames);
  return Math.max(0, process.memoryUsage().heapUsed - before) / frames;
}

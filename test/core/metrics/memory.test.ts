// Memory that grows slowly, and the metrics that show it.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Metrics } from '../../../src/core/metrics/metrics.ts';
import { ThreadMemory } from '../../../src/core/metrics/process-figures.ts';
import { prometheusText } from '../../../src/core/metrics/prometheus.ts';
import { jsonReply, type Reply } from '../../../src/core/net/listen.ts';
import { limits } from '../../../src/limits.ts';
import { SignatureMemory } from '../../../src/orders/life/signature-memory.ts';
import { MarketRecords } from '../../../src/paper/record-ring.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

// Found on the running product. Its memory grew by 88 MB an hour without any request, in the paper exchanges. Each price of two thousand
// books took its own page. An order that rested for days kept the room of four thousand orders. Each market kept every minute as six
// objects, and all its trades. Memory for a burst of signed mutations stayed until the next burst. No metric showed which thread grew.
describe('3023: memory that creeps', () => {
  const NONE_YOUNG = { ms: 0, timers: new VirtualTimers() };

  describe('what the paper exchanges remember', () => {
    it('is a bounded number of all trades, and those of each market among them', () => {
      const market = fc.integer({ min: 0, max: 4 });
      const bound = fc.integer({ min: 1, max: 12 });
      fc.assert(
        fc.property(bound, fc.array(market, { maxLength: 60 }), (max, markets) => {
          const records = new MarketRecords<{ market: number; number: number }, number>({
            max,
            young: NONE_YOUNG,
            marketOf: record => record.market,
          });
          const all = markets.map((it, number) => ({ market: it, number }));
          for (const record of all) records.push(record);
          const last = all.slice(-max).reverse();
          expect([...records.all()]).toEqual(last);
          for (const one of [0, 1, 2, 3, 4]) {
            expect([...records.of(one)]).toEqual(last.filter(it => it.market === one));
          }
        }),
      );
    });

    it('of a market that is forgotten is nothing', () => {
      const records = new MarketRecords<string, string>({
        max: 2,
        young: NONE_YOUNG,
        marketOf: text => text[0]!,
      });
      for (const record of ['a1', 'b1']) records.push(record);
      records.forget('a');
      expect([...records.of('a')]).toEqual([]);
      for (const record of ['a2', 'b2']) records.push(record);
      expect([...records.of('a')]).toEqual(['a2']);
      expect([...records.of('b')]).toEqual(['b2']);
    });
  });

  it('the answers of a burst are forgotten when nothing follows it', () => {
    const timers = new VirtualTimers();
    const memory = new SignatureMemory<Reply>(timers);
    const remember = (first: number): void => {
      const signed = { keyId: 'key', signature: new Uint8Array(64).fill(first) };
      memory.answerOnce(
        signed,
        timers.elapsed(),
        async () => jsonReply(200, {}),
        () => jsonReply(429, {}),
      );
    };
    for (let first = 0; first < 100; first += 1) remember(first);
    timers.advance(limits.signatureMemoryMs / 2);
    remember(100);
    expect(memory.size).toBe(101);
    timers.advance(limits.signatureMemoryMs / 2 + 1);
    // The signature that is half a minute younger stays as long as its request may come again.
    expect(memory.size).toBe(1);
    timers.advance(2 * limits.signatureMemoryMs);
    expect(memory.size).toBe(0);
    expect(timers.pending).toBe(0);
  });

  describe('memory by thread', () => {
    const threadsIn = (text: string, kind: string): Map<string, number> => {
      const rows = text.matchAll(
        new RegExp(`^crossbook_memory_bytes\\{thread="(\\w+)",kind="${kind}"\\} (\\d+)$`, 'gm'),
      );
      return new Map(Array.from(rows, ([, thread, bytes]) => [thread!, Number(bytes)]));
    };

    it('is reported for each thread by its name, for as long as it lives', async () => {
      const metrics = new Metrics({ operations: [] });
      const memory = new ThreadMemory(metrics);
      onTestFinished(() => memory.close());
      const text = (): string => prometheusText(metrics);
      expect([...threadsIn(text(), 'heap_used').keys()]).toEqual(['main']);
      const worker = new Worker('setInterval(() => {}, 1_000)', { eval: true, name: 'a thread' });
      await expect.poll(() => [...threadsIn(text(), 'heap_used').keys()]).toEqual(['main', 'a_thread']);
      await Promise.all([worker.terminate(), once(worker, 'exit')]);
      expect([...threadsIn(text(), 'heap_used').keys()]).toEqual(['main']);
    });
  });
});

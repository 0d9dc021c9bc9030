// The wait of the oldest turn, against a naive twin that keeps all turns.

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TurnWaits } from '../../../src/orders/engine/turn-waits.ts';

it('is that of the oldest turn that the engine has not handled', () => {
  const step = fc.record({ afterMs: fc.nat(5), sent: fc.nat(4), handled: fc.nat(5) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, startsAnew) => {
      const memory = new SharedArrayBuffer(4);
      const [main, engine] = [new TurnWaits(memory), new TurnWaits(memory)];
      if (startsAnew) {
        // After a few turns the count of 32 bits starts again at 0.
        new Uint32Array(memory)[0] = 2 ** 32 - 7;
        main.countSent(0);
        engine.countHandled();
        main.oldestMs(0);
      }
      const waiting: number[] = [];
      let nowMs = 0;
      for (const { afterMs, sent, handled } of steps) {
        nowMs += afterMs;
        for (let count = 0; count < sent; count++) {
          main.countSent(nowMs);
          waiting.push(nowMs);
        }
        for (let count = 0; count < handled && waiting.length > 0; count++) {
          engine.countHandled();
          waiting.shift();
        }
        expect(main.oldestMs(nowMs + 1)).toBe(waiting.length === 0 ? 0 : nowMs + 1 - waiting[0]!);
      }
    }),
  );
});

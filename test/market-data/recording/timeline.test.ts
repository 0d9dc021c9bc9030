// The clock of a replay: its order, its wait for slow listeners, its rounds in a loop, and its final end.

import { describe, expect, it } from 'vitest';
import { Player, type TimedFrame } from '../../../src/market-data/recording/timeline.ts';

const SPEED = 1_000;
const frames: readonly (TimedFrame & { readonly text: string })[] = Array.from({ length: 200 }, (_, index) => ({
  atMs: Math.floor(index / 3) * 10,
  text: String(index),
}));
const texts = frames.map(({ text }) => text);

describe('player', () => {
  it('delivers every frame once, in order, and waits while a listener is behind', async () => {
    const delivered: string[] = [];
    let refusals = 0;
    const player = new Player({
      open: () => frames.values(),
      deliver: ({ text }) => delivered.push(text),
      // The listener is behind at every frame until it has been asked three times.
      isCongested: () => {
        refusals = (refusals + 1) % 4;
        return refusals !== 0;
      },
      speed: SPEED,
      rewind: null,
    });
    player.start();
    player.start();
    await player.finished;
    expect(delivered).toEqual(texts);
  });

  it('rewinds before each further round, until it is stopped', async () => {
    const reported: string[] = [];
    await new Promise<void>(resolve => {
      let rounds = 0;
      const player = new Player({
        open: () => frames.slice(0, 2).values(),
        deliver: ({ text }) => reported.push(text),
        isCongested: () => false,
        speed: SPEED,
        rewind: () => {
          reported.push('rewind');
          rounds += 1;
          if (rounds < 2) return;
          player.stop();
          resolve();
        },
      });
      player.start();
    });
    expect(reported).toEqual(['0', '1', 'rewind', '0', '1', 'rewind']);
  });
});

// Kills the gateway's process at random moments while orders are sent, and starts it again. Some kills come during a start.

import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../src/core/runtime/random.ts';
import type { GatewayProcess } from './gateway-process.ts';
import type { Progress } from './progress.ts';

/** A kill comes within this time after the order that triggers it, or after a start. */
const AFTER_ORDER_MS = 60;
const AFTER_START_MS = 1_500;

interface Rampage {
  readonly gateway: GatewayProcess;
  readonly progress: Progress;
  readonly random: Random;
  readonly orders: number;
  readonly kills: number;
}

/** Resolves with the number of kills when no more orders begin. Rejects if the gateway does not come back. */
export async function rampage({ gateway, progress, random, orders, kills }: Rampage): Promise<number> {
  const moments = Array.from({ length: kills }, () => random.below(orders)).sort((one, other) => one - other);
  let done = 0;
  for (const moment of moments) {
    await progress.reached(moment);
    if (progress.isOver) break;
    await pause(random.below(AFTER_ORDER_MS));
    await gateway.kill();
    done += 1;
    if (random.chance(0.3)) {
      gateway.begin();
      await pause(random.below(AFTER_START_MS));
      await gateway.kill();
      done += 1;
    }
    await gateway.start();
  }
  return done;
}

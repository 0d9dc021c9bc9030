// The gateway's own process and its threads end while orders are under way.

import { setTimeout as pause } from 'node:timers/promises';
import { planFaults } from '../../soak/fault-plan.ts';
import type { Row } from '../row.ts';
import type { Scene } from '../scene.ts';
import { DEATH, endMainThread, endThread, HANG, HOARD, hangThread, type ThreadName } from '../threads.ts';
import { plan } from './requests.ts';

const group = 'the gateway’s process';

const ENGINE_FAILED = ['engine failed: the process ends'];

async function kill({ stage: { gateway } }: Scene): Promise<void> {
  await gateway.kill();
  await gateway.start();
}

function threadEnds(name: ThreadName, expected: readonly string[]): Row {
  return {
    group,
    fault: `${name} dies, three times`,
    expected,
    async strike(scene) {
      for (const orders of [10, 25, 40]) {
        await scene.begun(orders);
        await endThread(scene.stage.gateway, name);
      }
    },
  };
}

/** The thread hangs, and the process ends after a minute. */
function threadHangs(name: ThreadName, expected: readonly string[]): Row {
  return {
    group,
    fault: `${name} hangs`,
    expected,
    async strike(scene) {
      const { gateway } = scene.stage;
      await scene.begun(10);
      await gateway.endedBy(() => hangThread(gateway, name));
      await gateway.start();
    },
  };
}

const CHECK_WORKER_LOST = ['check worker failed', 'check worker lost', 'check task failed'];

export const PROCESS_ROWS: readonly Row[] = [
  {
    group,
    fault: 'kill -9, three times',
    async strike(scene) {
      for (const orders of [10, 25, 40]) {
        await scene.begun(orders);
        await kill(scene);
      }
    },
  },
  {
    group,
    fault: 'kill -9 while it starts, three times',
    async strike(scene) {
      const { random, stage } = scene;
      const { gateway } = stage;
      await scene.begun(20);
      for (let time = 0; time < 3; time += 1) {
        await gateway.kill();
        gateway.begin();
        await pause(300 + random.below(1_200));
      }
      await kill(scene);
    },
  },
  {
    group,
    fault: 'SIGTERM, and started again',
    async strike(scene) {
      const { gateway } = scene.stage;
      await scene.begun(20);
      scene.notes.push(`exit code ${await gateway.stop()}`);
      await gateway.start();
    },
  },
  {
    group,
    fault: 'kill -9 with every third answer to a new order lost',
    mustStrike: 'lost',
    async strike(scene) {
      await plan(scene, 'newOrder', { kind: 'lost', isApplied: true }, { probability: 0.33 });
      for (const orders of [15, 35]) {
        await scene.begun(orders);
        await kill(scene);
      }
    },
  },
  {
    group,
    fault: 'kill -9 with new orders 1.5 s on their way',
    mustStrike: 'delay',
    async strike(scene) {
      await plan(scene, 'newOrder', { kind: 'delay', beforeMs: 1_500, afterMs: 0 }, { probability: 0.5 });
      for (const orders of [15, 35]) {
        await scene.begun(orders);
        await kill(scene);
      }
    },
  },
  {
    group,
    fault: 'kill -9, three times, with every fault of the soak',
    orders: 120,
    mustStrike: 'lost',
    async strike(scene) {
      await planFaults(scene.stage.paper, scene.random.below(1_000_000));
      for (const orders of [20, 50, 80]) {
        await scene.begun(orders);
        await kill(scene);
      }
    },
  },
  {
    group,
    fault: 'an error on the main thread that nobody catches, three times',
    async strike(scene) {
      const { gateway } = scene.stage;
      for (const orders of [10, 25, 40]) {
        await scene.begun(orders);
        await gateway.endedBy(() => endMainThread(gateway));
        await gateway.start();
      }
    },
  },
  {
    group,
    fault: 'the main thread hangs',
    async strike(scene) {
      const { gateway } = scene.stage;
      await scene.begun(10);
      await gateway.endedBy(() => endMainThread(gateway, HANG));
      await gateway.start();
    },
  },
  threadHangs('a check worker', []),
  threadHangs('the engine', ENGINE_FAILED),
  {
    group,
    fault: 'a check worker’s heap runs full',
    setting: { nodeArgs: ['--max-old-space-size=256'] },
    expected: CHECK_WORKER_LOST,
    strike: ({ stage: { gateway } }) => endThread(gateway, 'a check worker', HOARD),
  },
  threadEnds('a check worker', CHECK_WORKER_LOST),
  {
    group,
    fault: 'the engine dies, three times: the process ends with it',
    expected: ENGINE_FAILED,
    async strike(scene) {
      const { gateway } = scene.stage;
      for (const orders of [10, 25, 40]) {
        await scene.begun(orders);
        await gateway.endedBy(() => hangThread(gateway, 'the engine', DEATH));
        await gateway.start();
      }
    },
  },
  threadEnds('a feed', []),
  {
    group,
    fault: 'a feed hangs',
    strike: ({ stage: { gateway } }) => endThread(gateway, 'a feed', HANG),
  },
  threadEnds('the history thread', []),
  threadEnds('the catalog thread', []),
];

// The engine thread: the only writer of all that an order changes. It holds the state in memory, appends each step to the journal,
// sends orders to the venues, and answers operations. Its entry is src/door/engine-worker.ts, which adds an address of its own.

import { isSubmission } from '../domain/operation.ts';
import { unreachable } from '../domain/result.ts';
import { limits } from '../limits.ts';
import { watchLoop } from '../metrics/loop-lag.ts';
import { Metrics } from '../metrics/metrics.ts';
import { guardHeap } from '../runtime/heap-guard.ts';
import { createLog } from '../runtime/log.ts';
import { keepPulse } from '../runtime/pulse.ts';
import { spin } from '../runtime/spin.ts';
import { ownThread } from '../runtime/thread-state.ts';
import { StoreError } from '../store/store-error.ts';
import { Claims } from './claims.ts';
import { Engine } from './engine.ts';
import type { EngineFront, OpenDoor } from './engine-door.ts';
import {
  type AskedOperation,
  type EngineData,
  type EngineTask,
  type FromEngine,
  Outgoing,
  type ToEngine,
} from './engine-messages.ts';

guardHeap();
keepPulse(limits.engineBeatMs);

/** One long task of a piscina pool: a rehearsal may run before the real engine. Resolves when the engine has closed, or could not open. */
export async function serveEngine({ data, port }: EngineTask, openDoor: OpenDoor): Promise<void> {
  const claims = new Claims(data.claims);
  const outgoing = new Outgoing<FromEngine>(messages => port.postMessage(messages));
  const metrics = new Metrics(data.metrics);
  const running = await opened(data, metrics, outgoing);
  if (running === null) return;
  const closed = Promise.withResolvers<void>();
  port.on('message', (messages: readonly ToEngine[]) => {
    for (const message of messages) {
      switch (message.type) {
        case 'operate':
          if (!mayBegin(claims, message)) break;
          running
            .operate(message, {
              claim: () => claims.take(message.number),
              recorded: orderId => outgoing.send({ type: 'recorded', number: message.number, orderId }),
            })
            .then(reply => outgoing.send({ type: 'reply', number: message.number, reply }), closed.reject);
          break;
        case 'in-use':
          running
            .inUse()
            .then(inUse => outgoing.send({ type: 'in-use', number: message.number, inUse }), closed.reject);
          break;
        case 'door':
          openDoor(frontOf(running, { data, metrics, failed: closed.reject }), message.data, message.port);
          break;
        case 'close':
          running.close().then(closed.resolve, closed.reject);
          break;
        default:
          unreachable(message);
      }
    }
  });
  outgoing.send({ type: 'open', thread: ownThread() });
  const stopWatch = watchLoop(metrics, 'engine');
  const rest = data.spins ? spin() : () => {};
  try {
    await closed.promise;
  } finally {
    stopWatch();
    rest();
    port.close();
  }
}

interface FrontParts {
  readonly data: EngineData;
  readonly metrics: Metrics;
  /** The engine has failed. */
  readonly failed: (error: unknown) => void;
}

function frontOf(running: Engine, { data, metrics, failed }: FrontParts): EngineFront {
  return {
    keys: running.keys,
    pods: data.pods,
    metrics,
    log: createLog('door', { level: data.logLevel }),
    isTradable: (podId, venue) => running.isTradable({ podId, venue }),
    operate: (asked, recorded = () => {}) => {
      // Nobody gives an operation up that this thread has taken: there is no one else to answer it.
      const reply = running.operate(asked, { claim: () => true, recorded });
      reply.catch(failed);
      return reply;
    },
  };
}

/** False: the operation was given up. A submission is claimed later, before it is sent; until then nothing has left. */
function mayBegin(claims: Claims, { operation, number }: AskedOperation): boolean {
  const isOurs = isSubmission(operation) ? claims.isOffered(number) : claims.take(number);
  // The guard has cancelled instead, and cannot keep new orders away.
  return isOurs || operation.name === 'stop';
}

async function opened(data: EngineData, metrics: Metrics, outgoing: Outgoing<FromEngine>): Promise<Engine | null> {
  const log = createLog('engine', { level: data.logLevel });
  try {
    return await Engine.open(data, {
      log,
      metrics,
      say: message => outgoing.send(message),
      tell: events => outgoing.sendBehind({ type: 'events', events }),
      tellProtection: change => outgoing.sendBehind({ type: 'protection', change }),
    });
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    outgoing.send({ type: 'unusable', message: error.message });
    return null;
  }
}

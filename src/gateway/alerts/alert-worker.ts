// The alerts' thread: sends alarms to the operator's address. It has a lower priority than all threads of orders and books.

import { parentPort, workerData } from 'node:worker_threads';
import { AlarmSender } from '../../core/alerts/alarm-sender.ts';
import { assert } from '../../core/domain/result.ts';
import { Metrics } from '../../core/metrics/metrics.ts';
import { createLog } from '../../core/runtime/log.ts';
import { keepPulse, watchMainThread } from '../../core/runtime/pulse.ts';
import { lowerPriority } from '../../core/runtime/thread-state.ts';
import { machineTimers } from '../../core/runtime/timers.ts';
import type { AlertThreadData, ToAlerts } from './alert-link.ts';

const port = parentPort;
assert(port !== null, 'the alerts’ worker is started as a thread');
const { settings, gateway, metrics: shared, logLevel } = workerData as AlertThreadData;
const metrics = new Metrics(shared);
const sender = new AlarmSender({
  settings,
  gateway,
  timers: machineTimers,
  sent: () => metrics.count('alarms_sent_total'),
  dropped: count => metrics.add(metrics.counter('alarms_dropped_total'), count),
  log: createLog('alerts', { level: logLevel }),
});

keepPulse();
lowerPriority();
watchMainThread();
port.on('message', (message: ToAlerts) => {
  if (message === 'close') {
    sender.close();
    port.close();
  } else for (const news of message) sender.handle(news);
});

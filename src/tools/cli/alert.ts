// `crossbook alert test`: sends an alarm to the address of the settings, as the gateway would.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { sendAlarm } from '../../core/alerts/alarm-sender.ts';
import { ALERT_VARIABLES, readAlerts } from '../../core/alerts/alert-settings.ts';
import { wallTimers } from '../../core/runtime/timers.ts';
import { type CommandIo, UsageError, withSubcommands } from './command-io.ts';

export const ALERT_USAGE = `  alert test
      sends one alarm of the kind "test" to CROSSBOOK_ALERT_URL, with the other settings of alarms

    crossbook alert test
    CROSSBOOK_ALERT_FORMAT=slack crossbook alert test
`;

export const alertCommand = withSubcommands('alert', { test: { run: (_, io) => test(io) } });

async function test({ env, out }: CommandIo): Promise<void> {
  const settings = readAlerts(env);
  if (settings === null) throw new UsageError(`${ALERT_VARIABLES[0]}: is not set`);
  const lines = ['This is a test of the alarms.'];
  const about = { kind: 'test', at: wallTimers.now(), count: 1, lines, orders: [] } as const;
  const alarm = { id: randomUUID(), ...about, gateway: hostname() };
  const fault = await sendAlarm(settings, alarm);
  const { host } = new URL(settings.url);
  if (fault !== null) throw new Error(`${host} does not take the alarm: ${fault}`);
  out(`${host} has taken the alarm\n`);
}

// The program of `crossbook venue-b`. It reads the accounts as the gateway does.

import type { PodVenues } from '../../core/domain/pod-accounts.ts';
import { readPodsFile } from '../../gateway/trading/pods.ts';
import type { CommandIo } from './command-io.ts';
import { UsageError } from './command-io.ts';
import { venueBCommand } from './venue-b-account.ts';

const io: CommandIo = {
  out: text => process.stdout.write(text),
  err: text => process.stderr.write(text),
  env: process.env,
};

function pods(): readonly PodVenues[] {
  const path = process.env.CROSSBOOK_PODS_FILE;
  if (path === undefined || path === '') throw new UsageError('CROSSBOOK_PODS_FILE: must name the accounts');
  const read = readPodsFile(path);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

void venueBCommand(pods)(process.argv.slice(2), io).then(exitCode => {
  process.exitCode = exitCode;
});

// The program of `crossbook venue-b`: reads the accounts as the gateway does.

import type { CommandIo } from './cli/command-io.ts';
import { UsageError } from './cli/command-io.ts';
import { venueBCommand } from './cli/venue-b-account.ts';
import type { PodVenues } from './domain/pod-accounts.ts';
import { readPodsFile } from './trading/pods.ts';

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

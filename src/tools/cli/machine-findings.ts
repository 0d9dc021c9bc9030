// `crossbook doctor`: checks this machine.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, statfsSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { wordsOf } from '../../core/domain/error-words.ts';
import { connectionRoom } from '../../core/net/connection-room.ts';
import { addressSpaceMax, addressSpaceMin, inKib } from '../../core/runtime/address-space.ts';
import { limits } from '../../limits.ts';
import { type Finding, tenths } from './finding.ts';

const CORES_MIN = 2;
/** The wanted free space: a day of trading, and the part of the journal that is kept. */
const FREE_BYTES_WANTED = 2 * limits.journalKeptBytes;
const GB = 1_000_000_000;
const SYNCS = 9;
/** A sync that takes longer than this is slow. In the power-safe mode an order waits for a sync. */
const SYNC_SLOW_MS = 10;
const PAGE = Buffer.alloc(4_096);

export function systemFinding(): Finding {
  const { platform, arch, version } = process;
  const says = `${platform} on ${arch}, Node ${version}, ${cpus().length} cores`;
  if (platform !== 'linux' || arch !== 'x64')
    return { about: 'system', level: 'warn', says, advice: 'for trying out only: docs/OPERATIONS.md, Other systems' };
  if (cpus().length >= CORES_MIN) return { about: 'system', level: 'ok', says };
  return { about: 'system', level: 'warn', says, advice: `give it at least ${CORES_MIN} cores` };
}

/** `addresses` is the number of addresses on which the gateway listens. */
export function limitFindings(addresses: number, poolThreads: number): readonly Finding[] {
  const { openFilesMax, openFilesMin, connectionsMax } = connectionRoom(addresses);
  const files = `${openFilesMax} open files: room for ${connectionsMax} callers`;
  const more = `raise ulimit -n, or LimitNOFILE of the unit, to ${limits.ownFilesMin + addresses * limits.httpConnectionsMax}`;
  const [space, least] = [addressSpaceMax(), addressSpaceMin(poolThreads)];
  const isEnough = space >= least;
  return [
    openFilesMax < openFilesMin
      ? { about: 'limits', level: 'fail', says: files, advice: more }
      : connectionsMax < limits.httpConnectionsMax
        ? { about: 'limits', level: 'warn', says: files, advice: more }
        : { about: 'limits', level: 'ok', says: files },
    isEnough
      ? { about: 'limits', level: 'ok', says: 'address space suffices' }
      : {
          about: 'limits',
          level: 'fail',
          says: `address space of ${inKib(space)}`,
          advice: `set no ulimit -v, or at least ${inKib(least)}: it is reserved, no memory`,
        },
  ];
}

/** Checks by systemd whether the clock is synchronized. A comparison with the venues' clocks shows more. */
export function clockFinding(): Finding {
  const says = ntpState();
  if (says === 'yes') return { about: 'clock', level: 'ok', says: 'is kept by NTP' };
  const advice = 'keep the clock by NTP (chrony, systemd-timesyncd): a signature is valid for 30 s';
  if (says === 'no') return { about: 'clock', level: 'warn', says: 'is not kept by NTP, as systemd says', advice };
  return { about: 'clock', level: 'warn', says: 'this machine does not say whether NTP keeps it', advice };
}

function ntpState(): string {
  try {
    const args = ['show', '--property=NTPSynchronized', '--value'];
    return execFileSync('timedatectl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

/** Checks the disk of the data directory, which need not exist yet. */
export function diskFindings(dataDir: string): readonly Finding[] {
  const folder = existingAbove(resolve(dataDir));
  const isThere = folder === resolve(dataDir);
  try {
    return [freeFinding(folder), ...(isThere ? [modeFinding(folder)] : []), syncFinding(folder)];
  } catch (error) {
    const advice = 'run this as the user of the gateway, and give it the folder';
    return [{ about: 'disk', level: 'fail', says: `${folder}: ${wordsOf(error)}`, advice }];
  }
}

export function existingAbove(folder: string): string {
  return existsSync(folder) ? folder : existingAbove(dirname(folder));
}

function freeFinding(folder: string): Finding {
  const { bavail, bsize } = statfsSync(folder);
  const bytes = bavail * bsize;
  const says = `${tenths(bytes / GB)} GB free for ${folder}`;
  if (bytes < limits.historyFreeBytesMin)
    return { about: 'disk', level: 'fail', says, advice: 'make room: the gateway counts the disk as full' };
  if (bytes >= FREE_BYTES_WANTED) return { about: 'disk', level: 'ok', says };
  return {
    about: 'disk',
    level: 'warn',
    says,
    advice: `the journal alone may take ${limits.journalKeptBytes / GB} GB`,
  };
}

function modeFinding(folder: string): Finding {
  const mode = statSync(folder).mode & 0o777;
  if ((mode & 0o077) === 0) return { about: 'disk', level: 'ok', says: 'only its owner can open the data directory' };
  const says = `the data directory is open to others (mode ${mode.toString(8)})`;
  return { about: 'disk', level: 'warn', says, advice: `chmod 700 ${folder}` };
}

/** Measures the median of some writes that wait for the disk. */
function syncFinding(folder: string): Finding {
  const path = join(folder, `.doctor-${randomBytes(8).toString('hex')}`);
  const file = openSync(path, 'wx', 0o600);
  const times: number[] = [];
  try {
    for (let sync = 0; sync < SYNCS; sync++) {
      const startedAtMs = performance.now();
      writeSync(file, PAGE);
      fsyncSync(file);
      times.push(performance.now() - startedAtMs);
    }
  } finally {
    closeSync(file);
    unlinkSync(path);
  }
  const medianMs = times.sort((one, other) => one - other)[Math.floor(SYNCS / 2)]!;
  const says = `a write is on disk after ${tenths(medianMs)} ms`;
  if (medianMs < SYNC_SLOW_MS) return { about: 'disk', level: 'ok', says };
  return {
    about: 'disk',
    level: 'warn',
    says,
    advice: 'with power-safe each order waits that long: use a local flash disk',
  };
}

// The checks of `crossbook doctor` for settings that are not about venues: addresses, a certificate, folders, NATS.

import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Config } from '../../config.ts';
import { wordsOf } from '../../core/domain/error-words.ts';
import { NatsLink } from '../../core/nats/connection.ts';
import type { NatsSettings } from '../../core/nats/settings.ts';
import { socketPathProblem } from '../../core/net/unix-socket-path.ts';
import { type Finding, tenths } from './finding.ts';
import { existingAbove } from './machine-findings.ts';

const GB = 1_000_000_000;
const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS_MIN = 14;
const ALERT_ANSWER_MS = 5_000;

export async function settingFindings(config: Config): Promise<readonly Finding[]> {
  const { tls, recorder, auditLog, sharedFilePath, keyStream, relay, alerts } = config;
  const nats = keyStream ?? relay?.nats;
  return [
    ...(tls === null ? [] : [certificateFinding(tls)]),
    ...(recorder === null ? [] : [recorderFinding(recorder)]),
    ...(auditLog === null ? [] : folderFindings('CROSSBOOK_AUDIT_LOG', auditLog)),
    ...(sharedFilePath === null ? [] : folderFindings('CROSSBOOK_SHM', sharedFilePath)),
    ...(nats === undefined ? [] : [await natsFinding(nats)]),
    ...(alerts === null ? [] : [await alertFinding(alerts)]),
  ];
}

function certificateFinding({ keyFile, certFile: path }: NonNullable<Config['tls']>): Finding {
  try {
    const [key, certificate] = [readFileSync(keyFile), readFileSync(path)];
    const { validToDate } = new X509Certificate(certificate);
    if (!belongTogether(key, certificate)) {
      const advice = 'name the key that the certificate was made for: the gateway does not start with another one';
      return { about: 'tls', level: 'fail', says: `${keyFile} is not the key of ${path}`, advice };
    }
    const days = Math.floor((validToDate.getTime() - Date.now()) / DAY_MS);
    const says = `the certificate ends in ${days} days, ${validToDate.toISOString()}`;
    if (days >= CERTIFICATE_DAYS_MIN) return { about: 'tls', level: 'ok', says };
    const advice = `renew ${path}, and restart: the gateway reads it at its start`;
    return { about: 'tls', level: days < 0 ? 'fail' : 'warn', says, advice };
  } catch (error) {
    const advice = 'it must be a certificate in PEM that this user can read';
    return { about: 'tls', level: 'fail', says: `CROSSBOOK_TLS_CERT_FILE: ${path}: ${wordsOf(error)}`, advice };
  }
}

function belongTogether(key: Buffer, cert: Buffer): boolean {
  try {
    createSecureContext({ key, cert });
    return true;
  } catch {
    return false;
  }
}

/** Checks the folder of recordings, which the gateway creates if it is missing. */
function recorderFinding({ folder, bytesMax }: NonNullable<Config['recorder']>): Finding {
  const there = existingAbove(resolve(folder));
  try {
    accessSync(there, constants.W_OK);
    const { bavail, bsize } = statfsSync(there);
    const free = bavail * bsize;
    const used = there === resolve(folder) ? sizeOf(there) : 0;
    const says = `${tenths(free / GB)} GB free for recordings in ${folder}, which may grow to ${tenths(bytesMax / GB)} GB`;
    if (free + used >= bytesMax) return { about: 'recording', level: 'ok', says };
    const advice = 'set CROSSBOOK_RECORD_GB to what the disk has: recording ends where it is full';
    return { about: 'recording', level: 'warn', says, advice };
  } catch (error) {
    const advice = 'give the user of the gateway that folder';
    return { about: 'recording', level: 'fail', says: `CROSSBOOK_RECORD_DIR: ${wordsOf(error)}`, advice };
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** Makes a finding if no file can be created there. */
function folderFindings(setting: string, path: string): readonly Finding[] {
  try {
    accessSync(dirname(path), constants.W_OK);
    return [];
  } catch (error) {
    const advice = `make the folder ${dirname(path)}, for the user of the gateway`;
    return [{ about: 'settings', level: 'fail', says: `${setting}: ${wordsOf(error)}`, advice }];
  }
}

async function natsFinding(settings: NatsSettings): Promise<Finding> {
  const startedAtMs = performance.now();
  try {
    const link = await NatsLink.connect(settings, 'crossbook doctor');
    const says = `${settings.servers.join(', ')}: one answers after ${Math.round(performance.now() - startedAtMs)} ms`;
    await link.close();
    return { about: 'nats', level: 'ok', says };
  } catch (error) {
    const advice =
      'look at address, credentials and firewall: without it no replicated order is placed, and no book published or read';
    return { about: 'nats', level: 'fail', says: wordsOf(error), advice };
  }
}

/**
 * Checks whether the host of the alarms answers. No alarm is sent. Only the host is shown, because the rest of the address may be a secret.
 */
async function alertFinding({ url, format, kinds }: NonNullable<Config['alerts']>): Promise<Finding> {
  const { origin, host } = new URL(url);
  try {
    await fetch(origin, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(ALERT_ANSWER_MS) });
    const says = `${host} answers; it gets ${kinds.join(', ')} as ${format}: crossbook alert test sends one`;
    return { about: 'alarms', level: 'ok', says };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const advice = 'look at CROSSBOOK_ALERT_URL and the firewall: trading goes on without alarms';
    return { about: 'alarms', level: 'warn', says: `${host}: ${wordsOf(cause)}`, advice };
  }
}

interface ListenSetting {
  readonly host: string;
  readonly port: number;
  /** The names of host and port on the command line. */
  readonly hostSetting: string;
  readonly portSetting: string;
}

/** Finds each address and socket on which a gateway cannot listen. It is only called if no gateway runs here. */
export async function addressFindings(config: Config): Promise<readonly Finding[]> {
  const { host, port, unixSocketPath, tradeDoor, metricsAddress } = config;
  const addresses = [
    { host, port, ...namesOf('') },
    ...(metricsAddress === null ? [] : [{ ...metricsAddress, ...namesOf('METRICS_') }]),
    ...(tradeDoor?.address ? [{ ...tradeDoor.address, ...namesOf('TRADE_') }] : []),
  ];
  const findings = await Promise.all([
    ...addresses.map(addressFinding),
    socketFinding('CROSSBOOK_UNIX_SOCKET', unixSocketPath),
    socketFinding('CROSSBOOK_TRADE_SOCKET', tradeDoor?.unixSocketPath ?? null),
  ]);
  return findings.filter(it => it !== null);
}

function namesOf(part: '' | 'METRICS_' | 'TRADE_'): Pick<ListenSetting, 'hostSetting' | 'portSetting'> {
  return { hostSetting: `CROSSBOOK_${part}HOST`, portSetting: `CROSSBOOK_${part}PORT` };
}

async function socketFinding(setting: string, path: string | null): Promise<Finding | null> {
  const problem = path === null ? null : await socketPathProblem(path);
  if (problem === null) return null;
  const advice = `choose a path in a folder of the gateway’s user: ${setting}`;
  return { about: 'address', level: 'fail', says: `${path}: ${problem}`, advice };
}

async function addressFinding({ host, port, ...names }: ListenSetting): Promise<Finding | null> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    return null;
  } catch (error) {
    const advice = listenAdvice((error as NodeJS.ErrnoException).code, names);
    return { about: 'address', level: 'fail', says: `${host}:${port}: ${wordsOf(error)}`, advice };
  } finally {
    server.close();
  }
}

function listenAdvice(
  code: string | undefined,
  { hostSetting, portSetting }: Pick<ListenSetting, 'hostSetting' | 'portSetting'>,
): string {
  if (code === 'EADDRINUSE') return `end what listens there, or choose another: ${portSetting}`;
  if (code === 'EACCES') return `this user may not listen there: choose a port from 1024 on, ${portSetting}`;
  return `give an address of this machine: ${hostSetting}`;
}

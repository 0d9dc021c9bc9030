// The program of `crossbook doctor` checks everything that a start needs on this machine, and says how to repair faults. It changes
// nothing. It only writes a file to measure the disk, and removes the file.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, callersAddresses, readConfig } from '../../config.ts';
import { wordsOf } from '../../core/domain/error-words.ts';
import { isObject } from '../../core/domain/json.ts';
import type { UnixMillis } from '../../core/domain/numbers.ts';
import type { PodVenues } from '../../core/domain/pod-accounts.ts';
import { unknownWords } from '../../core/metrics/unknown-words.ts';
import { ConfigError } from '../../core/runtime/setting-values.ts';
import { nodeFiles } from '../../core/store/files.ts';
import { openKeyStore } from '../../core/store/key-store.ts';
import { StoreError } from '../../core/store/store-error.ts';
import { faultTexts, type StatusReport } from '../../core/wire/reports.ts';
import { readPodsFile, redeemText } from '../../gateway/trading/pods.ts';
import { readStreamDrift } from '../../market-data/feeds/stream-drift.ts';
import { refuseUnknownFolder } from '../../orders/history/known-ledger.ts';
import { targetsOf, venueOrigins } from '../../venue-source.ts';
import { readAccountDrift } from '../../venues/account-drift.ts';
import { attestedUntilIn, isEnding } from '../../venues/venue-b/trading/attestation.ts';
import { readVenueDrift } from '../../venues/venue-drift.ts';
import { type CommandIo, dataDirOf, readArguments, runCommand } from './command-io.ts';
import { type Finding, findingsText } from './finding.ts';
import { askGateway, NoGatewayError } from './gateway-request.ts';
import { clockFinding, diskFindings, limitFindings, systemFinding } from './machine-findings.ts';
import { jsonText } from './output.ts';
import { addressFindings, settingFindings } from './setting-findings.ts';
import { askVenueB, cashFindings, readKeyFindings } from './venue-b-account.ts';
import { approvalFindings, driftFindings, venueFindings } from './venue-findings.ts';

const SOURCES: Readonly<Record<Config['source']['kind'], string>> = {
  venues: 'for the real venues',
  relay: 'for books by NATS: no venue is set',
  paper: 'for the paper exchanges: no venue is set',
  recorded: 'for a recording: no venue is set',
  'live-paper': 'for live-paper: the real venues are only read, and orders go to the paper exchanges',
};
/** The time for which the venues' streams are watched, once their books are live. */
const LISTENED_MS = 5_000;
const io: CommandIo = {
  out: text => process.stdout.write(text),
  err: text => process.stderr.write(text),
  env: process.env,
};

void diagnose(process.argv.slice(2)).then(exitCode => {
  process.exitCode = exitCode;
});

async function diagnose(args: readonly string[]): Promise<number> {
  let isSound = false;
  const exitCode = await runCommand(io, async () => {
    const options = readArguments(args, { options: ['data-dir'], flags: ['json', 'venues'] });
    const findings = options.has('venues') ? await venueDrift() : await findingsFor(dataDirOf(options, io));
    isSound = findings.every(({ level }) => level !== 'fail');
    io.out(options.has('json') ? jsonText(findings) : findingsText(findings));
  });
  return exitCode === 0 && !isSound ? 1 : exitCode;
}

async function findingsFor(dataDir: string): Promise<readonly Finding[]> {
  const { config, findings } = settings();
  const pods = podsOf(config);
  const addresses = config === null ? 1 : callersAddresses(config);
  const origins = config === null ? [] : venueOrigins(config.source, pods.found);
  return [
    ...findings,
    systemFinding(),
    ...limitFindings(addresses, config?.poolThreads ?? 1),
    clockFinding(),
    ...diskFindings(dataDir),
    ...pods.findings,
    ...(await keyFindings(dataDir, config, pods.found)),
    ...orderFindings(dataDir, config),
    ...(config === null ? [] : await settingFindings(config)),
    ...(await venueFindings(origins)),
    ...(config?.source.kind === 'live-paper' ? await readKeyFindings(config.source) : []),
    ...(await Promise.all(pods.found.map(attestationFindings))).flat(),
    ...(await Promise.all(pods.found.map(cashFindings))).flat(),
    ...(await approvalFindings(pods.found)),
    ...(await gatewayFindings(dataDir, config)),
  ];
}

/** Finds fields and words of the real venues that the gateway does not know, and expected fields that are missing. */
async function venueDrift(): Promise<readonly Finding[]> {
  const { config, findings } = settings();
  if (config === null) return findings;
  const { source } = config;
  if (source.kind !== 'venues' && source.kind !== 'live-paper') {
    const advice = 'set the addresses of the real venues: docs/OPERATIONS.md';
    return [{ about: 'drift', level: 'fail', says: SOURCES[source.kind], advice }];
  }
  const [a, b] = source.kind === 'venues' ? [source, source] : [source.a, source.b];
  if (a === null || b === null) {
    const advice = 'leave out CROSSBOOK_LIVE_PAPER_OFF for this check';
    return [{ about: 'drift', level: 'fail', says: 'a venue is switched off', advice }];
  }
  const [{ gammaUrl: gamma, venueA }, { venueB, account }] = [a, b];
  const { routes, addresses } = await readVenueDrift({ gamma, venueA: venueA.restUrl, venueB: venueB.restUrl });
  const ofAccounts = (await Promise.all(podsOf(config).found.map(readAccountDrift))).flat();
  const streams = await Promise.all(
    Object.values(targetsOf(venueA, venueB, account)).map(target =>
      readStreamDrift(target, addresses[target.venue], LISTENED_MS),
    ),
  );
  return driftFindings({ routes: [...routes, ...ofAccounts], streams, words: unknownWords.rows() });
}

interface Settings {
  readonly config: Config | null;
  readonly findings: readonly Finding[];
}

function settings(): Settings {
  try {
    const config = readConfig([], process.env);
    const unknown = config.unknownVariables.map(name => {
      const says = `${name} is not a setting`;
      return {
        about: 'settings',
        level: 'warn',
        says,
        advice: 'is it misspelt? docs/OPERATIONS.md lists them',
      } as const;
    });
    const says = SOURCES[config.source.kind];
    return { config, findings: [{ about: 'settings', level: 'ok', says }, ...unknown] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: null, findings: [{ about: 'settings', level: 'fail', says: error.message }] };
  }
}

interface Pods {
  readonly found: readonly PodVenues[];
  readonly findings: readonly Finding[];
}

function podsOf(config: Config | null): Pods {
  if (config === null || config.podsFile === null) {
    const isReal = config?.source.kind === 'venues';
    const advice = 'name a pods file to trade: CROSSBOOK_PODS_FILE';
    const none: Finding = { about: 'pods', level: 'warn', says: 'market data only', advice };
    return { found: [], findings: isReal ? [none] : [] };
  }
  const pods = readPodsFile(config.podsFile);
  if (!pods.ok) return { found: [], findings: [{ about: 'pods', level: 'fail', says: pods.error }] };
  const says = `accounts of ${pods.value.map(({ podId }) => podId).join(', ')} in ${config.podsFile}`;
  const redeems = pods.value.flatMap((pod): Finding[] => {
    const words = pod.venueA?.redeemUsdMax || config.redeemsWinners ? redeemText(pod, config.redeemsWinners) : null;
    return words === null ? [] : [{ about: 'pods', level: 'ok', says: `${pod.podId}: ${words}` }];
  });
  return { found: pods.value, findings: [{ about: 'pods', level: 'ok', says }, ...redeems] };
}

async function keyFindings(
  dataDir: string,
  config: Config | null,
  accounts: readonly PodVenues[],
): Promise<readonly Finding[]> {
  const folder = join(dataDir, 'keys');
  if (!existsSync(join(folder, 'data.mdb'))) {
    const isReal = config?.source.kind === 'venues' || config?.source.kind === 'relay';
    const advice = isReal ? 'crossbook pods create, pods add-actor, keys create' : 'the first start makes a demo';
    return [{ about: 'keys', level: 'warn', says: `there are none in ${dataDir}`, advice }];
  }
  try {
    const store = openKeyStore(folder);
    const { pods, actors, signingKeys } = store.read();
    await store.close();
    const active = signingKeys.filter(({ revokedAt }) => revokedAt === null);
    const says = `${pods.length} pods, ${actors.length} actors, ${active.length} signing keys`;
    const strangers = accounts.filter(({ podId }) => !pods.some(pod => pod.podId === podId));
    return [
      active.length > 0
        ? { about: 'keys', level: 'ok', says }
        : { about: 'keys', level: 'warn', says, advice: 'crossbook keys create: nobody can call the gateway' },
      ...strangers.map(({ podId }): Finding => {
        const advice = `crossbook pods create ${podId}, or correct its name in the pods file`;
        return { about: 'keys', level: 'warn', says: `the pod ${podId} has accounts and no keys`, advice };
      }),
    ];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [
      { about: 'keys', level: 'fail', says: error.message, advice: 'restore a backup: docs/OPERATIONS.md, Backups' },
    ];
  }
}

/** Finds missing orders. The orders of a replicated pod are in its stream, so they are not expected here. */
function orderFindings(dataDir: string, config: Config | null): readonly Finding[] {
  if (config?.replicated) return [];
  try {
    refuseUnknownFolder(nodeFiles, join(dataDir, 'orders'), false);
    return [];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [{ about: 'orders', level: 'fail', says: error.message }];
  }
}

/**
 * Finds out whether venue B will soon refuse orders because of the location of the account's owner. Makes no finding if the venue does not
 * say.
 */
async function attestationFindings({ podId, venueB }: PodVenues): Promise<readonly Finding[]> {
  if (venueB === null) return [];
  try {
    const { body } = await askVenueB(venueB, '/api_keys');
    const until = isObject(body) ? attestedUntilIn(body) : null;
    if (until === null) return [];
    const says = `venue B knows the location of ${podId} until ${new Date(until).toISOString()}`;
    if (!isEnding(until, Date.now() as UnixMillis)) return [{ about: 'venues', level: 'ok', says }];
    const advice = 'attest it anew on the site of venue B: after that time it refuses orders in some markets';
    return [{ about: 'venues', level: 'warn', says, advice }];
  } catch {
    // An address that cannot be reached is reported by another finding.
    return [];
  }
}

async function gatewayFindings(dataDir: string, config: Config | null): Promise<readonly Finding[]> {
  try {
    const { report } = await askGateway(dataDir, { op: 'status' });
    const { ready, pid, faults } = report as StatusReport;
    const lost = Object.entries(ready.feeds).filter(([, feed]) => feed !== 'ok');
    const says = `runs as process ${pid}: ${ready.status}${ready.reason === undefined ? '' : `, ${ready.reason}`}`;
    if (ready.status !== 'ready') return [{ about: 'gateway', level: 'fail', says, advice: 'read its log' }];
    const troubles = [...lost.map(([venue, feed]) => `${venue} ${feed}`), ...faultTexts(faults)];
    if (troubles.length === 0) return [{ about: 'gateway', level: 'ok', says }];
    const advice = 'read its log; docs/OPERATIONS.md, Alerts, says what each means';
    return [{ about: 'gateway', level: 'warn', says: `${says}; ${troubles.join('; ')}`, advice }];
  } catch (error) {
    const says = wordsOf(error);
    if (!(error instanceof NoGatewayError))
      return [{ about: 'gateway', level: 'fail', says: `does not answer: ${says}`, advice: 'read its log' }];
    const none = { about: 'gateway', level: 'ok', says: `does not run here: ${says}` } as const;
    return [none, ...(config === null ? [] : await addressFindings(config))];
  }
}

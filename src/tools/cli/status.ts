// `crossbook status` shows the gateway of a data directory by the control socket, once, or each second in a terminal.

import { wordsOf } from '../../core/domain/error-words.ts';
import { NOT_PLAIN } from '../../core/domain/plain-text.ts';
import { faultTexts, type StatusReport, type VenueStatus } from '../../core/wire/reports.ts';
import { type Arguments, type CommandIo, dataDirOf, readArguments, runCommand } from './command-io.ts';
import { askGateway } from './gateway-request.ts';
import { jsonText } from './output.ts';

export const STATUS_USAGE = `  status [--once] [--json] [--data-dir DIR]
      how the running gateway is: venues, accounts, stops, orders, queues; in a terminal anew each second
      --once  prints it once; exit code 1 unless it is ready and, if it has accounts, can trade for one of them
      --json  the same, as JSON
      --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data

    crossbook status
    crossbook status --once --data-dir /var/lib/crossbook
`;

const FRAME_MS = 1_000;
const HOME_AND_CLEAR = '\x1b[H\x1b[J';
const ACTORS_SHOWN_MAX = 20;
const MB = 1_000_000;
const MS_PER_S = 1_000;
const READY = 'ready';

/** `frames` is the number of frames to draw in a terminal. */
export async function statusCommand(
  args: readonly string[],
  io: CommandIo,
  isTerminal: boolean,
  frames: number = Number.POSITIVE_INFINITY,
): Promise<number> {
  let isWell = true;
  const exitCode = await runCommand(io, async () => {
    const options = readArguments(args, { options: ['data-dir'], flags: ['once', 'json'] });
    const dataDir = dataDirOf(options, io);
    if (isTerminal && !options.has('once') && !options.has('json')) await live(dataDir, io, frames);
    else isWell = await showOnce(dataDir, options, io);
  });
  return exitCode === 0 && !isWell ? 1 : exitCode;
}

async function showOnce(dataDir: string, options: Arguments, io: CommandIo): Promise<boolean> {
  const report = await readStatus(dataDir);
  io.out(options.has('json') ? jsonText(report) : statusText(report, null));
  return canTrade(report);
}

/** Whether the gateway can trade as configured. A gateway without accounts only serves books, and is well. */
function canTrade({ ready, venues }: StatusReport): boolean {
  const accounts = venues.flatMap(venue => venue.accounts);
  return ready.status === READY && (accounts.length === 0 || accounts.some(({ tradable }) => tradable));
}

async function readStatus(dataDir: string): Promise<StatusReport> {
  return (await askGateway(dataDir, { op: 'status' })).report as StatusReport;
}

/** Shows frames until it is interrupted. If the gateway ends, waits for its next start. */
async function live(dataDir: string, io: CommandIo, frames: number): Promise<void> {
  let before: StatusReport | null = null;
  for (let frame = 0; frame < frames; frame++) {
    if (frame > 0) await new Promise(resolve => setTimeout(resolve, FRAME_MS));
    try {
      const report = await readStatus(dataDir);
      io.out(HOME_AND_CLEAR + statusText(report, before));
      before = report;
    } catch (error) {
      io.out(`${HOME_AND_CLEAR}${wordsOf(error)}\n`);
      before = null;
    }
  }
}

/** `before` is the report of a second ago. If it is null, no rate is shown. */
function statusText(report: StatusReport, before: StatusReport | null): string {
  const { version, pid, startedAt, ready, stopped, faults, venues, actors, gauges } = report;
  const busiest = actors.toSorted((one, other) => other.openOrders - one.openOrders).slice(0, ACTORS_SHOWN_MAX);
  const lines = [
    `crossbook ${version}, process ${pid}, since ${new Date(startedAt).toISOString()}`,
    `${ready.status}${ready.reason === undefined ? '' : `: ${ready.reason}`}`,
    ...(stopped.length === 0 ? [] : [`stopped: ${stopped.map(it => (it === '*' ? 'all pods' : it)).join(', ')}`]),
    ...faultTexts(faults).map(it => `not well: ${it}`),
    '',
    ...venues.flatMap(venue => venueLines(venue, ready.feeds[venue.venue])),
    '',
    `submissions  ${submissionsText(report, before)}`,
    `open orders  ${busiest.length === 0 ? 'none' : busiest.map(it => `${it.actorId} ${it.openOrders}`).join(', ')}`,
    `clients      ${gauges.http_connections} connections, ${gauges.stream_connections} streams, ${gauges.trade_connections} for orders`,
    `under way    ${gauges.http_requests_in_flight} requests, ${gauges.operations_in_flight} operations`,
    `records      ${gauges.journal_lag_records} not on disk yet, ${gauges.history_lag_records} not in the history yet`,
    ...(gauges.process_resident_memory_bytes === undefined
      ? []
      : [`memory       ${Math.round(gauges.process_resident_memory_bytes / MB)} MB`]),
  ];
  return lines.map(line => `${line.replace(NOT_PLAIN, '?')}\n`).join('');
}

function venueLines({ venue, books, accounts }: VenueStatus, feed: string): readonly string[] {
  const inUse = Object.entries(books).filter(([, count]) => count > 0);
  const states = inUse.length === 0 ? 'no books in use' : inUse.map(([state, count]) => `${count} ${state}`).join(', ');
  const standing = accounts.map(({ podId, tradable }) => `${podId} ${tradable ? 'trades' : 'does not trade now'}`);
  return [`${venue}  feed ${feed}; ${states}`, ...standing.map(line => `         ${line}`)];
}

function submissionsText({ submissions }: StatusReport, before: StatusReport | null): string {
  const { count, p50Ms, p99Ms } = submissions;
  const times = p50Ms === null ? '' : `, p50 ${p50Ms} ms, p99 ${p99Ms} ms since the start`;
  const rate = before === null ? '' : `, ${(count - before.submissions.count) / (FRAME_MS / MS_PER_S)} a second`;
  return `${count}${rate}${times}`;
}

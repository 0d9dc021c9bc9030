// `crossbook record export` writes recordings as files of other programs. `crossbook record import` turns captured frames into a recording.

import type { UnixMillis } from '../../core/domain/numbers.ts';
import { eventsIn } from '../../market-data/recording/event-window.ts';
import { openRecording, type Recording } from '../../market-data/recording/open-recording.ts';
import type { FileFault } from '../../market-data/recording/recorded-file.ts';
import { MARKET_CHOICE_RULE, MarketChoice } from '../../market-data/recording/recorder-settings.ts';
import { isoTimeOf } from '../../venues/wire-values.ts';
import { CsvWriter } from '../conversion/csv.ts';
import type { EventWriter } from '../conversion/event-rows.ts';
import { HftbacktestWriter } from '../conversion/hftbacktest.ts';
import { type Arguments, type CommandIo, type Subcommand, UsageError } from './command-io.ts';
import { Progress } from './progress.ts';

export const RECORD_EXPORT_USAGE = `  record export DIR --to csv|parquet|hftbacktest [--out PATH] [--market MARKETS] [--from TIME] [--to-time TIME]
      writes a recording in another format: the whole recording, or some markets (venue_b:KXNFL*,venue_a:…) between two times (2026-11-26T06:00:00Z)
      --to csv          prices and sizes as decimals; to standard output, or the file PATH
      --to parquet      the same columns, prices and sizes as whole numbers; to the file PATH
      --to hftbacktest  a file VENUE-MARKET.npz for each market; to the folder PATH
`;

export const recordExport: Subcommand = {
  options: ['to', 'out', 'market', 'from', 'to-time'],
  positionals: ['DIR'],
  run: exportRecording,
};

async function exportRecording(args: Arguments, io: CommandIo): Promise<void> {
  const [from, to] = [timeIn(args, 'from'), timeIn(args, 'to-time')];
  if (from !== null && to !== null && from >= to) throw new UsageError('--to-time: must be after --from');
  const choice = choiceOf(args);
  const open = writerOf(args, io);
  const folder = args.positionals[0]!;
  const recording = openRecording(folder);
  if (!recording.markets().some(it => choice.has(it.venue, it.address))) {
    throw new Error(`${folder}: has none of these markets`);
  }
  const progress = progressOf(recording, args, io);
  const writer = await open();
  try {
    for (const { words } of recording.faults) io.err(`crossbook: left out: ${words}\n`);
    const named = ({ words }: FileFault) => io.err(`crossbook: read up to there: ${words}\n`);
    const events = recording.events(named, undefined, to);
    for (const event of eventsIn(events, { from, to, has: it => choice.has(it.venue, it.address) })) {
      writer.write(event);
      progress.reach(event.at - recording.files[0]!.startedAt);
    }
    progress.end();
    for (const path of await writer.close()) io.out(`${path}\n`);
  } catch (error) {
    progress.end();
    writer.abandon();
    throw error;
  }
}

/** Returns a function that opens the writer. It is called once the recording has been found. */
function writerOf(args: Arguments, io: CommandIo): () => Promise<EventWriter> {
  const form = args.required('to');
  const out = args.one('out');
  if (form === 'csv') return async () => new CsvWriter(out ?? null, io.out);
  if (form !== 'parquet' && form !== 'hftbacktest') throw new UsageError('--to: must be csv, parquet or hftbacktest');
  if (out === undefined) throw new UsageError(`--out: is required with --to ${form}`);
  if (form === 'hftbacktest') return async () => new HftbacktestWriter(out);
  // The module is loaded here, because other commands do not need Parquet.
  return async () => new (await import('../conversion/parquet.ts')).ParquetEvents(out);
}

/** The choice of markets as for the recorder (`CROSSBOOK_RECORD_MARKETS`). Without the option it is all markets. */
function choiceOf(args: Arguments): MarketChoice {
  const text = args.one('market');
  const choice = text === undefined ? MarketChoice.ALL : MarketChoice.read(text);
  if (typeof choice === 'string')
    throw new UsageError(`--market: ${JSON.stringify(choice)} is none of the ${MARKET_CHOICE_RULE}`);
  return choice;
}

/** Returns null without the option. */
export function timeIn(args: Arguments, option: string): UnixMillis | null {
  const text = args.one(option);
  if (text === undefined) return null;
  const time = isoTimeOf(text);
  if (time === null) throw new UsageError(`--${option}: must be a time such as 2026-11-26T06:00:00Z`);
  return time;
}

/** A progress bar by the time of the recording. If rows go to standard output, they may share the terminal, and no bar is drawn. */
function progressOf({ files }: Recording, args: Arguments, io: CommandIo): Progress {
  const write = args.one('out') === undefined ? undefined : io.progress;
  const [first, last] = [files[0], files.at(-1)];
  const spanMs = write === undefined || first === undefined ? 0 : last!.contents().endedAt - first.startedAt;
  return new Progress(write, 'export', spanMs);
}

export const RECORD_IMPORT_USAGE = `  record import FILE... --to DIR
      makes a recording in DIR of captured frames of either venue: lines of JSON or one list, bare or with their times, plain or packed (gzip)
      files of one venue are one capture, in their order; what cannot be played is refused, and nothing is written then
`;

export const recordImport: Subcommand = {
  options: ['to'],
  positionals: ['FILE'],
  hasMore: true,
  run: importRecording,
};

async function importRecording(args: Arguments, io: CommandIo): Promise<void> {
  const folder = args.required('to');
  const files = [...new Set(args.positionals)];
  // The module is loaded here, because the feeds of both venues are large.
  const { captureBytes, importCaptures } = await import('../conversion/captures/import-captures.ts');
  const sizes = await captureBytes(files);
  const total = [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const progress = new Progress(io.progress, 'import', 2 * total);
  const read = new Map<string, number>();
  let done = 0;
  const onBytes = (file: string, bytes: number, isSecond: boolean): void => {
    const all = bytes + (isSecond ? sizes.get(file)! : 0);
    done += all - (read.get(file) ?? 0);
    read.set(file, all);
    progress.reach(done);
  };
  try {
    const words = await importCaptures({ files, folder, onBytes });
    io.out(words.map(line => `${line}\n`).join(''));
  } finally {
    progress.end();
  }
}

// `crossbook record`: starts and stops the recorder of a running gateway. It also shows the contents of a recording and checks it, with or
// without a gateway.

import { basename } from 'node:path';
import type { MarketContents } from '../../market-data/recording/format.ts';
import { openRecording, type Recording } from '../../market-data/recording/open-recording.ts';
import { type Arguments, type CommandIo, dataDirOf, withSubcommands } from './command-io.ts';
import { askGateway } from './gateway-request.ts';
import { Progress } from './progress.ts';
import { RECORD_EXPORT_USAGE, RECORD_IMPORT_USAGE, recordExport, recordImport } from './record-export.ts';
import { RecordedBooks } from './recorded-books.ts';

export const RECORD_USAGE = `  record start
  record stop
      start begins to record in a running gateway that has CROSSBOOK_RECORD_DIR, such as after a full disk; stop closes the files
      start and stop: --data-dir DIR, default CROSSBOOK_DATA_DIR, else ./data
  record list DIR [--markets]
      lists the files of a recording with times, sizes and contents; --markets lists the contents of each market
  record check DIR
      reads the whole recording and checks blocks, files and books by their checksums; exit code 1 if something is damaged. It names files
      that were not closed
${RECORD_EXPORT_USAGE}${RECORD_IMPORT_USAGE}
    crossbook record list recordings --markets
    crossbook record export recordings --to parquet --out day.parquet
`;

export const recordCommand = withSubcommands('record', {
  start: { run: (args, io) => order('record-start', args, io) },
  stop: { run: (args, io) => order('record-stop', args, io) },
  list: { positionals: ['DIR'], flags: ['markets'], run: list },
  check: { positionals: ['DIR'], run: check },
  export: recordExport,
  import: recordImport,
});

const MEGABYTE = 1e6;
const COUNTS = ['books', 'changes', 'trades', 'gaps'] as const;

async function order(op: 'record-start' | 'record-stop', args: Arguments, io: CommandIo): Promise<void> {
  await askGateway(dataDirOf(args, io), { op });
  io.out(op === 'record-start' ? 'recording\n' : 'the recording is closed\n');
}

function list(args: Arguments, io: CommandIo): void {
  const recording = openRecording(args.positionals[0]!);
  for (const { words } of recording.faults) io.err(`crossbook: left out: ${words}\n`);
  if (args.has('markets')) {
    for (const it of marketsOf(recording)) io.out(`${it.venue} ${it.address}  ${countsText([it])}\n`);
    return;
  }
  for (const file of recording.files) {
    const { endedAt, isClosed, markets } = file.contents();
    const span = `${timeText(file.startedAt)} to ${timeText(endedAt)}`;
    const size = `${(file.bytes / MEGABYTE).toLocaleString('en', { maximumFractionDigits: 1 })} MB`;
    const what = `${markets.length} markets, ${countsText(markets)}${isClosed ? '' : ', not closed'}`;
    io.out(`${basename(file.path)}  ${span}  ${size}  ${what}\n`);
  }
}

/** Sums the contents of each market over the files. */
function marketsOf({ files }: Recording): readonly MarketContents[] {
  const all = files.flatMap(file => file.contents().markets);
  const byName = Map.groupBy(all, ({ venue, address }) => `${venue} ${address}`);
  return [...byName.values()].map(parts => {
    const sums = Object.fromEntries(COUNTS.map(name => [name, sumOf(parts, name)])) as Pick<
      MarketContents,
      (typeof COUNTS)[number]
    >;
    return { venue: parts[0]!.venue, address: parts[0]!.address, ...sums };
  });
}

function sumOf(parts: readonly MarketContents[], name: (typeof COUNTS)[number]): number {
  return parts.reduce((sum, part) => sum + part[name], 0);
}

function countsText(parts: readonly MarketContents[]): string {
  return COUNTS.map(name => `${sumOf(parts, name)} ${name}`).join(', ');
}

function timeText(millis: number): string {
  return new Date(millis).toISOString();
}

function check(args: Arguments, io: CommandIo): void {
  const recording = openRecording(args.positionals[0]!);
  const books = new RecordedBooks();
  const words: string[] = recording.faults.map(it => it.words);
  let damaged = recording.faults.length;
  const first = recording.files[0]?.startedAt ?? 0;
  const bar = new Progress(io.progress, 'checking', (recording.files.at(-1)?.startedAt ?? first) - first);
  const events = recording.events(fault => {
    words.push(fault.words);
    if (fault.what === 'damaged') damaged += 1;
  });
  for (const event of events) {
    books.take(event);
    bar.reach(event.at - first);
  }
  bar.end();
  for (const it of [...words, ...books.faults]) io.err(`${it}\n`);
  const faults = damaged + books.faultsTotal;
  if (faults > 0) throw new Error(`${faults} faults`);
  const files = `${recording.files.length} files`;
  io.out(`whole: ${files}, ${books.events} events, ${books.gaps} gaps, each book and change with its checksum\n`);
}

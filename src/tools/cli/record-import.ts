// `crossbook record import`: turns captures of raw venue frames into a recording. It needs no gateway.

import type { Arguments, CommandIo, Subcommand } from './command-io.ts';
import { Progress } from './progress.ts';

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
  // Loaded here: the feeds of both venues are large.
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

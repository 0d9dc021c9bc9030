// Hears signals, reports them, and ends its opening when its parent writes a line. The argument is the descriptor for the reports.

import { writeSync } from 'node:fs';
import { handleSignals } from '../../../src/core/runtime/process-life.ts';

const say = (line: string): void => void writeSync(Number(process.argv[2] ?? 1), `${line}\n`);
const opening = handleSignals(() => {
  say('stop');
  process.exit(0);
});
say(`hears ${opening.isEnded}`);
process.stdin.once('data', () => {
  say('open');
  opening.end(() => say('reload'));
});
// A closed terminal ends the input.
process.stdin.on('error', () => {});
setInterval(() => {}, 1_000);

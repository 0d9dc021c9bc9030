// Hears signals, says so, and ends its opening when its parent writes a line.

import { hearSignals } from '../../../src/core/runtime/process-life.ts';

const opening = hearSignals(() => {
  process.stdout.write('stop\n');
  process.exit(0);
});
process.stdout.write(`hears ${opening.isEnded}\n`);
process.stdin.once('data', () => {
  process.stdout.write('open\n');
  opening.end();
});

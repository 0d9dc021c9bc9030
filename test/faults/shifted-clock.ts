// Loaded into the gateway's process before the program, in every thread: a wall clock that is ahead by the milliseconds in a file. Timers and
// monotonic time go on, as they do when an operator or a time server sets a machine's clock.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const CLOCK_SHIFT_FILE = 'clock-shift-ms';

const folder = process.env.FAULTS_FOLDER;
const LOOK_MS = 10;

if (folder !== undefined) {
  const RealDate = Date;
  const realNow = Date.now;
  let shiftMs = 0;
  const look = (): void => {
    try {
      shiftMs = Number(readFileSync(join(folder, CLOCK_SHIFT_FILE), 'utf8'));
    } catch {
      shiftMs = 0;
    }
  };
  look();
  setInterval(look, LOOK_MS).unref();
  Date.now = () => realNow() + shiftMs;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [target.now()] : args),
  });
}

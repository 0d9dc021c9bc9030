// Reads the gateway's own times from an answer, by stage (contract §4.3).

const HEADER = 'Server-Timing: ';
const US_PER_MS = 1_000;

/** The microseconds by stage. `total` is their sum. */
export type Stages = Readonly<Record<string, number>>;

/** Reads a complete answer; throws if it has no times. */
export function stagesOf(answer: Buffer): Stages {
  const at = answer.indexOf(HEADER);
  if (at < 0) throw new Error(`no Server-Timing in ${answer.toString('latin1')}`);
  const text = answer.toString('latin1', at + HEADER.length, answer.indexOf('\r\n', at));
  return Object.fromEntries(
    text.split(', ').map(stage => {
      const [name = '', ms] = stage.split(';dur=');
      return [name, US_PER_MS * Number(ms)];
    }),
  );
}

/** Returns the gateway's own time, which is all time except the wait for the venue. */
export function insideUs({ total, venue }: Stages): number {
  return (total ?? Number.NaN) - (venue ?? Number.NaN);
}

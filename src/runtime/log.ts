// One line of JSON per event on standard error, any thread. Secrets never reach it: callers pass named facts, not objects
// of other people.

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
}

/** Writes each event as one line; `component` names the thread. */
export function createLog(component: string, write: (line: string) => void = defaultWrite): Log {
  const emit = (level: string, event: string, fields: LogFields = {}) =>
    write(`${JSON.stringify({ time: new Date().toISOString(), level, component, event, ...fields })}\n`);
  return {
    info: (event, fields) => emit('info', event, fields),
    warn: (event, fields) => emit('warn', event, fields),
  };
}

/** Drops every event: for tests and benchmarks that look at behaviour, not at logs. */
export const silentLog: Log = { info() {}, warn() {} };

function defaultWrite(line: string): void {
  process.stderr.write(line);
}

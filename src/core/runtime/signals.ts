// Signals that end the process. They are heard before anything listens, and act once all is open, since only open parts can be closed in
// order. Main thread.

export interface Opening {
  /** Whether all parts are open. */
  readonly isEnded: boolean;
  end(): void;
}

/** `stop` is called for each signal, and not before the opening has ended. */
export function hearSignals(stop: () => void): Opening {
  const ended = Promise.withResolvers<void>();
  let isEnded = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => void ended.promise.then(stop));
  return {
    get isEnded() {
      return isEnded;
    },
    end: () => {
      isEnded = true;
      ended.resolve();
    },
  };
}

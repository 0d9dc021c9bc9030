// The counters of `GET /metrics` that show a fault to an operator (docs/OPERATIONS.md).

export type Counters = Readonly<Record<string, number>>;

const TELLING =
  /^crossbook_(?:feed_(?:resyncs|silences|disconnects|freezes|stalls)|stream_(?:laps|lagging)|auth_failures|rate_limited|pool_busy|pool_faults|pool_workers_lost|order_divergences|kept_markets_refused|catalog_failures|catalog_store_failures)_total(?:\{[^}]*\})?$/;

/** Returns the counters; empty if the gateway does not answer. */
export async function countersOf(url: string): Promise<Counters> {
  const text = await fetch(`${url}/metrics`).then(
    answer => answer.text(),
    () => '',
  );
  const rows = text.split('\n').map(line => line.split(' '));
  return Object.fromEntries(
    rows.filter(([name = '']) => TELLING.test(name)).map(([name, value]) => [name, Number(value)]),
  );
}

/** Returns the counters that rose. A counter that is lower than before has restarted with its process. */
export function risen(before: Counters, after: Counters): string[] {
  return Object.entries(after).flatMap(([name, value]) => {
    const was = before[name] ?? 0;
    const rise = value < was ? value : value - was;
    return rise > 0 ? [`\`${name.replace('crossbook_', '')}\` ${rise}`] : [];
  });
}

// `crossbook statement` lists what trading has paid in a period, for bookkeeping: fills, fees, payouts, redemptions and cost lots, as CSV
// or JSON. On request it also lists the money that came to venue B or left it other than by trading.

import { isoDayMillisOf, isoMillisOf } from '../../core/domain/iso-time.ts';
import {
  formatMicroShares,
  formatTicks,
  type MicroShares,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import type { PodVenues } from '../../core/domain/pod-accounts.ts';
import { COST_DECIMALS, decimalText } from '../../core/store/orders/export.ts';
import { readPodsFile } from '../../gateway/trading/pods.ts';
import { csvLine } from '../conversion/csv.ts';
import { type Arguments, type CommandIo, readArguments, runCommand, UsageError } from './command-io.ts';
import { jsonText, timeText } from './output.ts';
import { type StatementRow, statementRows } from './statement-rows.ts';
import { transfersOf } from './statement-transfers.ts';
import { ordersFolderOf, withTables } from './store.ts';

export const STATEMENT_USAGE = `  statement --from TIME --to TIME [--transfers] [--format csv|json] [--data-dir DIR]
      every fill, fee, payout, redemption, split, merge and cost lot of all actors, from TIME until before TIME: a day such as 2026-11-28, or a
      time such as 2026-11-28T18:00:00Z. The sums of each pod and venue follow, on standard error with csv
      --transfers  also deposits, withdrawals and transfers, as venue B lists them for the accounts of CROSSBOOK_PODS_FILE; words say what is missing
      --format    csv (default) or json
      --data-dir  default CROSSBOOK_DATA_DIR, else ./data; the gateway may run

    crossbook statement --from 2026-11-01 --to 2026-12-01 > november.csv
    crossbook statement --from 2026-01-01 --to 2027-01-01 --format json
`;

type Shown = Readonly<Record<(typeof COLUMNS)[number], string>>;

/** The columns, which docs/OPERATIONS.md describes. */
export const COLUMNS = [
  'at',
  'pod',
  'actor',
  'venue',
  'market',
  'kind',
  'id',
  'order',
  'action',
  'side',
  'size',
  'price',
  'cash_usd',
  'fee_usd',
  'opened_at',
  'proceeds_usd',
  'cost_fifo_usd',
  'cost_average_usd',
] as const;

const FORMATS = ['csv', 'json'];
const MICRO_DECIMALS = 6;

export function statementCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, () =>
    state(readArguments(args, { options: ['from', 'to', 'format', 'data-dir'], flags: ['transfers'] }), io),
  );
}

async function state(args: Arguments, io: CommandIo): Promise<void> {
  const [from, to] = [timeIn(args, 'from'), timeIn(args, 'to')];
  const format = args.one('format') ?? 'csv';
  if (!FORMATS.includes(format)) throw new UsageError(`--format: must be ${FORMATS.join(' or ')}`);
  if (from >= to) throw new UsageError('--to: must be later than --from');
  const transfers = args.has('transfers') ? await transfersOf(podsIn(io), from, to) : { rows: [], notes: [] };
  await withTables(ordersFolderOf(args, io), tables => {
    const rows = [...statementRows(tables, from, to), ...transfers.rows].toSorted((one, other) => one.at - other.at);
    const shown = rows.map(shownOf);
    const sums = sumsOf(rows);
    for (const note of transfers.notes) io.err(`${note}\n`);
    if (format === 'json') return io.out(jsonText({ from: timeText(from), to: timeText(to), rows: shown, sums }));
    io.out(
      [COLUMNS.join(','), ...shown.map(row => csvLine(COLUMNS.map(name => row[name])))].map(it => `${it}\n`).join(''),
    );
    for (const { pod, venue, cashUsd, feesUsd } of sums)
      io.err(`${pod} ${venue}: cash ${cashUsd} USD, of which fees ${feesUsd} USD\n`);
  });
}

function timeIn(args: Arguments, option: string): UnixMillis {
  const text = args.required(option);
  const millis = isoDayMillisOf(text) ?? isoMillisOf(text);
  if (millis === null)
    throw new UsageError(`--${option}: must be a day such as 2026-11-28, or a time such as 2026-11-28T18:00:00Z`);
  return millis as UnixMillis;
}

function podsIn({ env }: CommandIo): readonly PodVenues[] {
  const path = env.CROSSBOOK_PODS_FILE;
  if (path === undefined || path === '') throw new UsageError('CROSSBOOK_PODS_FILE: must name the accounts');
  const pods = readPodsFile(path);
  if (!pods.ok) throw new UsageError(pods.error);
  return pods.value;
}

/** Sums the rows by pod and venue: how the venue's balance has changed by the rows. */
function sumsOf(rows: readonly StatementRow[]) {
  const sums = new Map<string, { cash: bigint; fees: bigint }>();
  for (const { owner, venue, cash, fee } of rows) {
    const name = `${podOf(owner)} ${venue}`;
    const { cash: before, fees } = sums.get(name) ?? { cash: 0n, fees: 0n };
    sums.set(name, { cash: before + cash, fees: fees + fee });
  }
  return Array.from(sums, ([name, { cash, fees }]) => {
    const [pod, venue] = name.split(' ');
    return { pod, venue, cashUsd: decimalText(cash, COST_DECIMALS), feesUsd: decimalText(fees, MICRO_DECIMALS) };
  });
}

/** The pod of an owner. Owners are `pod/actor` and `unattributed:pod`. */
function podOf(owner: string): string {
  return owner.replace(/^unattributed:|\/.*$/g, '');
}

function actorOf(owner: string): string {
  return owner.replace(/:.*$|^.*\//g, '');
}

function shownOf(row: StatementRow): Shown {
  const { at, owner, venue, address, kind, id, orderId, action, side, units, price, cash, fee, lot } = row;
  const usd = (amount: bigint | undefined): string => (amount === undefined ? '' : decimalText(amount, COST_DECIMALS));
  const isLot = lot !== null;
  return {
    at: timeText(at),
    pod: podOf(owner),
    actor: actorOf(owner),
    venue,
    market: address,
    kind,
    id,
    order: orderId,
    action,
    side,
    size: units === null ? '' : formatMicroShares(Number(units) as MicroShares),
    price: price === null ? '' : formatTicks(Number(price) as Ticks),
    cash_usd: isLot ? '' : usd(cash),
    fee_usd: isLot ? '' : decimalText(fee, MICRO_DECIMALS),
    opened_at: lot?.openedAt === undefined ? '' : timeText(lot.openedAt),
    proceeds_usd: usd(lot?.proceeds),
    cost_fifo_usd: usd(lot?.cost),
    cost_average_usd: usd(lot?.averageCost),
  };
}

// `crossbook report` shows the results of a bot's orders, from the history of a gateway and a recording of the same time. The gateway may
// run at the same time.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonObject, parseJson, textOf } from '../../core/domain/json.ts';
import { ASK, BID } from '../../core/domain/market.ts';
import {
  COST_PER_MICRO_DOLLAR,
  complementTicks,
  type MicroShares,
  parseMicroShares,
  parseTicks,
  TIME_MAX,
  type Ticks,
  type UnixMillis,
} from '../../core/domain/numbers.ts';
import { exportOrders } from '../../core/store/orders/export.ts';
import { eventsIn } from '../../market-data/recording/event-window.ts';
import { openRecording, type Recording } from '../../market-data/recording/open-recording.ts';
import { recordedPairs } from '../../paper/flow/recording-catalog.ts';
import type { VenueEvent } from '../../venues/discovery.ts';
import { recordedListings } from '../../venues/recorded-listings.ts';
import { isoTimeOf } from '../../venues/wire-values.ts';
import { writeParquet } from '../conversion/parquet.ts';
import { csvOf, reportOf } from '../conversion/report-page.ts';
import type { ReportedFill, ReportedOrder } from '../conversion/reported-market.ts';
import { nameOf, tradeReport } from '../conversion/trade-report.ts';
import { type CommandIo, dataDirOf, readArguments, runCommand, UsageError } from './command-io.ts';
import { type StatementRow, statementRows } from './statement-rows.ts';
import { withTables } from './store.ts';

export const REPORT_USAGE = `  report --recording DIR [--out DIR] [--actor POD/ACTOR] [--latency WORDS] [--data-dir DIR]
      writes a report on the orders of a gateway: a page (report.html) and its tables as CSV and Parquet
      --recording  a recording of the same time, whose books value positions and judge quotes and fills
      --out        a new folder, default ./report
      --actor      reports on one actor; the default is all actors
      --latency    a text about the latency, for the page
      the gateway may run meanwhile; crossbook backtest writes the same report at its end

    crossbook report --recording recordings
    crossbook report --recording recordings --data-dir backtest/data --out backtest/again
`;

export function reportCommand(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(io, async () => {
    const options = ['recording', 'out', 'actor', 'latency', 'data-dir'];
    const read = readArguments(args, { options });
    const [out, recording] = [read.one('out') ?? './report', read.required('recording')];
    if (existsSync(out)) throw new UsageError(`--out: ${out} exists already`);
    const latency = read.one('latency');
    const facts = [`Recording: ${recording}.`, ...(latency === undefined ? [] : [`Latency: ${latency}.`])];
    const title = `Trading report${read.one('actor') === undefined ? '' : ` of ${read.one('actor')}`}`;
    const source = { dataDir: dataDirOf(read, io), recording, actor: read.one('actor') ?? null, from: null, to: null };
    io.out(`${await writeReport(source, out, title, facts)}\n`);
  });
}

interface ReportSource {
  readonly dataDir: string;
  readonly recording: string;
  /** Null means all actors. */
  readonly actor: string | null;
  /** The part of the recording that counts; null: no bound. */
  readonly from: UnixMillis | null;
  readonly to: UnixMillis | null;
}

/** Writes the report. Resolves to the path of its page. */
export async function writeReport(
  { dataDir, recording, actor, from, to }: ReportSource,
  out: string,
  title: string,
  facts: readonly string[],
): Promise<string> {
  const recorded = openRecording(recording);
  const { orders, fills } = await tradesOf(dataDir, actor, mirrorsOf(recorded, recordedListings(recording, from)));
  const all = recorded.events(undefined, undefined, to);
  const events = eventsIn(all, { from, to, has: () => true });
  const { page, tables } = reportOf(tradeReport(events, orders, fills), title, facts);
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'report.html'), page);
  for (const [name, table] of Object.entries(tables)) {
    writeFileSync(join(out, `${name}.csv`), csvOf(table));
    writeParquet(join(out, `${name}.parquet`), table);
  }
  return join(out, 'report.html');
}

const PAID: ReadonlySet<string> = new Set(['SPLIT', 'MERGE', 'REDEMPTION', 'PAYOUT']);

/** An order of the export, and whether its prices are prices of NO. */
interface Kept {
  readonly order: ReportedOrder;
  readonly isNo: boolean;
}

/** For each token that was not recorded, the recorded token of its market. The report counts the former as NO of the latter. */
type Mirrors = ReadonlyMap<string, string>;

function mirrorsOf(recording: Recording, listings: readonly VenueEvent[]): Mirrors {
  const recorded = new Set(recording.markets().map(({ address }) => address));
  const pairs = [...recordedPairs(recording, listings).values()];
  return new Map(pairs.flatMap(([first, second]) => (recorded.has(second) ? [] : [[second, first]])));
}

async function tradesOf(dataDir: string, actor: string | null, mirrors: Mirrors) {
  const folder = join(dataDir, 'orders');
  if (!existsSync(folder)) throw new UsageError(`--data-dir: ${dataDir} holds no order store`);
  const orders = new Map<string, Kept>();
  const rows: JsonObject[] = [];
  let paid: readonly ReportedFill[] = [];
  await withTables(folder, tables => {
    const all = statementRows(tables, 0 as UnixMillis, TIME_MAX);
    paid = all.filter(({ owner }) => actor === null || owner === actor).flatMap(row => paidOf(row, mirrors));
    exportOrders(tables, line => {
      const row = parseJson(line);
      if (!isObject(row)) return;
      if (row.type === 'fill') rows.push(row);
      else if (row.type === 'order' && (actor === null || row.actorId === actor)) {
        orders.set(textOf(row.orderId), orderOf(row, mirrors));
      }
    });
  });
  const fills = rows.flatMap(row => {
    const kept = orders.get(textOf(row.orderId));
    return kept === undefined || row.settlement === 'FAILED' ? [] : [fillOf(row, kept)];
  });
  return { orders: [...orders.values()].map(({ order }) => order), fills: [...fills, ...paid] };
}

function orderOf(row: JsonObject, mirrors: Mirrors): Kept {
  const request = isObject(row.request) ? row.request : {};
  const filled = isObject(row.filled) ? row.filled : {};
  const address = textOf(request.ticker) || textOf(request.tokenId);
  const isNo = request.side === 'NO' || mirrors.has(address);
  const buys = request.side === 'BUY' || request.action === 'BUY';
  const size = micros(request.size);
  const filledSize = micros(filled.size);
  const order: ReportedOrder = {
    market: nameOf(textOf(request.venue), mirrors.get(address) ?? address),
    side: buys === isNo ? ASK : BID,
    price: inYes(request.price, isNo),
    // An order in dollars has no size, so its filled size is used.
    size: size === 0 ? filledSize : size,
    filled: filledSize,
    createdAt: timeOf(row.createdAt),
    closedAt: row.closedAt === null ? Number.POSITIVE_INFINITY : timeOf(row.closedAt),
    refusal: row.status === 'REJECTED' ? refusalOf(row) : null,
  };
  return { order, isNo };
}

/** The reason of a refusal: our code, and the venue's code, or the venue's words if it has no codes. */
function refusalOf(row: JsonObject): string {
  const error = isObject(row.error) ? textOf(row.error.code) : '';
  const venue = isObject(row.venueError) ? textOf(row.venueError.code) || textOf(row.venueError.message) : '';
  return [error || 'without a reason', venue].filter(it => it !== '').join(': ');
}

function fillOf(row: JsonObject, { order, isNo }: Kept): ReportedFill {
  const { market, side } = order;
  const [size, fee] = [micros(row.size), micros(row.feesUsd)];
  const price = inYes(row.price, isNo);
  return {
    market,
    side,
    price,
    size,
    fee,
    at: timeOf(row.executedAt),
    order,
    isMaker: row.liquidity === 'MAKER',
    paid: 0,
  };
}

/** A change of a holding without a fill, at the price that it pays. A payout of NO counts as buying YES back. */
function paidOf({ kind, venue, address, side, units, cash, at }: StatementRow, mirrors: Mirrors): ReportedFill[] {
  const size = Number(units) as MicroShares;
  if (!PAID.has(kind) || size === 0) return [];
  const [price, isNo] = [(Math.abs(Number(cash)) / size) as Ticks, side === 'NO' || mirrors.has(address)];
  const paid = kind === 'PAYOUT' || kind === 'REDEMPTION' ? Number(cash) / Number(COST_PER_MICRO_DOLLAR) : 0;
  const common = {
    market: nameOf(venue, mirrors.get(address) ?? address),
    size,
    fee: 0,
    at,
    order: null,
    isMaker: false,
    paid,
  };
  return [{ ...common, side: isNo === (kind === 'SPLIT') ? ASK : BID, price: isNo ? complementTicks(price) : price }];
}

function inYes(price: unknown, isNo: boolean): Ticks {
  const ticks = parseTicks(textOf(price)) ?? (0 as Ticks);
  return isNo ? complementTicks(ticks) : ticks;
}

/** A decimal in millionths, for shares and for dollars. The value may be negative, because a fee may be a rebate. */
function micros(value: unknown): MicroShares {
  const text = textOf(value);
  return (text.startsWith('-') ? -micros(text.slice(1)) : (parseMicroShares(text) ?? 0)) as MicroShares;
}

function timeOf(value: unknown): number {
  return isoTimeOf(textOf(value)) ?? 0;
}

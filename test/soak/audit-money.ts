// Fills, positions and cash: no fill is missing or doubled, and the sums are equal on both sides, to the millionth.

import type { AccountSeen } from './account.ts';
import { total } from './decimals.ts';
import type { FillKept } from './gateway-view.ts';
import { OPENING_MICROS } from './paper-process.ts';
import type { VenueFillSeen } from './venue-view.ts';

const MICROS = 1_000_000n;

export async function faultsOfMoney(
  accounts: readonly AccountSeen[],
  strangers: ReadonlySet<string>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const account of accounts) {
    const found = [...faultsOfFills(account, strangers), ...(await faultsOfPositions(account))];
    faults.push(...found.map(fault => `${account.podId} ${account.venue}: ${fault}`));
  }
  return faults;
}

/** Returns the name of one order's part in one trade. At venue A the gateway has a fill for each counter-order. */
function partOf({ tradeId, venueOrderId }: Pick<VenueFillSeen, 'tradeId' | 'venueOrderId'>): string {
  return `${tradeId}/${venueOrderId}`;
}

function faultsOfFills({ at, fills }: AccountSeen, strangers: ReadonlySet<string>): string[] {
  const kept = Map.groupBy(fills, partOf);
  const seen = Map.groupBy(at.fills, partOf);
  const own = new Set(
    at.orders
      .filter(({ clientOrderId }) => clientOrderId !== null && strangers.has(clientOrderId))
      .map(({ venueOrderId }) => venueOrderId),
  );
  const ids = new Set(fills.map(({ fillId }) => fillId));
  return [
    ...(ids.size < fills.length ? ['the same fill is kept twice'] : []),
    ...[...kept.keys()].filter(part => !seen.has(part)).map(part => `fill ${part} is not there`),
    ...[...seen].flatMap(([part, [fill, another]]) => {
      if (another !== undefined) return [`fill ${part} was reported twice`];
      const isStrangers = own.has(fill!.venueOrderId) || strangers.has(fill!.venueOrderId);
      return differences(fill!, kept.get(part) ?? [], isStrangers).map(it => `fill ${part} ${it}`);
    }),
  ];
}

function differences(seen: VenueFillSeen, kept: readonly FillKept[], isStrangers: boolean): string[] {
  if (kept.length === 0) return ['is missing'];
  const size = total(kept.map(fill => fill.size));
  const cost = total(kept.map(fill => fill.cost));
  const fee = total(kept.map(fill => fill.fee));
  const moved = seen.change < 0n ? -seen.change : seen.change;
  const isOwners = kept.every(
    ({ order }) => (order?.venueOrderId ?? null) === (isStrangers ? null : seen.venueOrderId),
  );
  return [
    ...(isOwners ? [] : ['is of another order']),
    ...(size === moved ? [] : [`is of ${size}, there of ${moved}`]),
    ...(cost === seen.cost ? [] : [`cost ${cost}, there ${seen.cost}`]),
    ...(seen.fee === null || fee === seen.fee ? [] : [`took fees of ${fee}, there ${seen.fee}`]),
    ...(kept.every(({ settlement }) => (settlement === 'FAILED') === seen.isFailed) ? [] : ['settled otherwise']),
  ];
}

/** Checks that the actors' positions plus the unattributed positions equal the venue's positions (contract §5). */
async function faultsOfPositions({ at, positions }: AccountSeen): Promise<string[]> {
  const addresses = new Set([...positions, ...at.fills].map(({ address }) => address));
  const faults: string[] = [];
  for (const address of addresses) {
    const kept = total(positions.filter(it => it.address === address).map(({ size }) => size));
    const held = await at.position(address);
    if (kept !== held) faults.push(`position in ${address} is ${kept}, there ${held}`);
  }
  return faults;
}

/** Checks the cash while no order rests: it must be the opening cash plus the result of the gateway's own fills. */
export function faultsOfCash(accounts: readonly AccountSeen[]): string[] {
  return accounts.flatMap(({ podId, venue, at, fills, positions }) => {
    const alive = at.fills.filter(({ isFailed }) => !isFailed);
    const paid = total(alive.map(({ change, cost }) => (change < 0n ? -cost : cost)));
    const fees = total(fills.filter(({ settlement }) => settlement !== 'FAILED').map(({ fee }) => fee)) * MICROS;
    // Venue B holds a dollar back for each contract of NO, which is what it has cost together with what was got for YES.
    const sums = Map.groupBy(positions, ({ address }) => address);
    const shorts = [...sums.values()].map(rows => total(rows.map(({ size }) => size))).filter(size => size < 0n);
    const left = OPENING_MICROS * MICROS - paid - fees + total(shorts) * MICROS;
    return left === at.cash * MICROS ? [] : [`${podId} ${venue}: ${at.cash} is there, and ${left} should be left`];
  });
}

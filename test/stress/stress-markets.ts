// The markets on which the two threads of the stress run of the index agree: markets that are known by their prices.

export const ROUNDS = 60_000;
/** Markets that are carried all the time: those below. */
export const KEPT = 4;
export const MARKETS = 40;

export function nameOf(market: number): string {
  return `KXSTRESS-${market}`;
}

export function bidOf(market: number): number {
  return 50 + market * 100;
}

export function askOf(market: number): number {
  return bidOf(market) + 50;
}

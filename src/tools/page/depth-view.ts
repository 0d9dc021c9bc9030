// The depth of both venues for one outcome: how much rests up to each price. The scale of sizes is logarithmic, because the venues differ a
// hundredfold. Browser.

import type { Level } from '../../core/domain/market.ts';
import { MICROS_PER_SHARE, type MicroShares, type Ticks } from '../../core/domain/numbers.ts';
import type { AxisRow } from './axis.ts';
import type { Ladder } from './ladders.ts';
import type { Route } from './routes-of-market.ts';
import { centsText } from './texts.ts';
import { shortVenueText } from './venue-names.ts';
import { html } from './view.ts';

interface DepthParts {
  readonly name: string;
  readonly ladders: readonly { readonly route: Route; readonly ladder: Ladder }[];
  /** The rows of the ladder. The plot has the same prices. */
  readonly rows: readonly AxisRow[];
  readonly decimals: number;
}

const WIDTH = 300;
const HEIGHT = 60;

export function DepthView({ name, ladders, rows, decimals }: DepthParts) {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return null;
  const [low, high] = [last.price, first.price];
  const isShown = ({ price }: Level): boolean => price >= low && price <= high;
  const sides = ladders.flatMap(({ route, ladder }) =>
    (['bid', 'ask'] as const).map(side => ({
      side,
      venue: route.market.venue,
      levels: (side === 'bid' ? ladder.bids : ladder.asks).filter(isShown),
    })),
  );
  const most = Math.max(...sides.map(({ levels }) => heightOf(sumOf(levels))));
  const xOf = (price: Ticks): number => Math.round(((price - low) / Math.max(1, high - low)) * WIDTH);
  const yOf = (sum: MicroShares): number => Math.round(HEIGHT - (heightOf(sum) / most) * (HEIGHT - 2));
  return html`<figure class="depth">
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label=${`depth of ${name} at both venues`}>
      ${sides.map(({ side, venue, levels }) => html`<path key=${`${venue}${side}`} class=${`${side} ${venue}`} d=${stepsOf(levels, xOf, yOf)} />`)}
    </svg>
    <figcaption><span>${centsText(low, decimals)}</span><span>depth: ${ladders.map(
      ({ route: { market } }) => html`<i class=${market.venue} />${shortVenueText(market.venue)} `,
    )}</span><span>${centsText(high, decimals)}</span></figcaption>
  </figure>`;
}

function sumOf(levels: readonly Level[]): MicroShares {
  return levels.reduce<number>((sum, { size }) => sum + size, 0) as MicroShares;
}

function heightOf(micros: MicroShares): number {
  return Math.log10(1 + micros / MICROS_PER_SHARE);
}

/** The curve from the best price outwards, with a step at each level. */
function stepsOf(levels: readonly Level[], xOf: (price: Ticks) => number, yOf: (sum: MicroShares) => number): string {
  const [best] = levels;
  if (best === undefined) return '';
  const steps = levels.map(({ price }, at) => `H${xOf(price)}V${yOf(sumOf(levels.slice(0, at + 1)))}`);
  return `M${xOf(best.price)} ${HEIGHT}${steps.join('')}V${HEIGHT}Z`;
}

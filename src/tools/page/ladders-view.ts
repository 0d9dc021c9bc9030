// Shows the ladders of the chosen market. Each outcome has both venues on one axis of prices, and the best prices of both, raw and net of
// fees. Browser.

import { marketAddress } from '../../core/domain/market.ts';
import { formatMicroShares, type MicroShares, parseMicroShares, type Ticks } from '../../core/domain/numbers.ts';
import type { RouteQuote } from '../../core/generated/api-types.ts';
import { type AxisRow, axisOf } from './axis.ts';
import { CopyView } from './copy-view.ts';
import { DepthView } from './depth-view.ts';
import type { Desk, PodOrder } from './desk.ts';
import type { Ladder } from './ladders.ts';
import { ownSizes } from './own-orders.ts';
import type { OutcomeRoutes, Route } from './routes-of-market.ts';
import { AgeView } from './silence-view.ts';
import { ageText, centsText, dayText, dollarsInCents, sizeText } from './texts.ts';
import { shortVenueText, venueText } from './venue-names.ts';
import { html } from './view.ts';

/** The number of rows above the spread, and also below it. So the spread stays in its place. */
const ROWS = 12;

interface ShownRoute {
  readonly route: Route;
  readonly ladder: Ladder;
  readonly own: ReadonlyMap<Ticks, MicroShares>;
}

export function LaddersView({ desk }: { readonly desk: Desk }) {
  const { chosen, outcomes } = desk.search;
  const market = chosen.value;
  if (market === null)
    return html`<section class="ladders" data-tab="ladders"><p class="empty">No market is chosen. Search for it, and press it in the list.</p></section>`;
  const event = desk.schedule.of(market.eventId);
  const omitted = (desk.ladders.bestOf(market.id)?.omitted ?? []).map(it => `${routeText(it)} (${it.why})`);
  return html`<section class="ladders" data-tab="ladders" data-event=${market.eventId ?? ''} aria-label="ladders">
    <h2>${market.title} <small>${event === null ? '' : `${event.competition} · ${dayText(event.startsAt)} · ${event.status}`}</small>
      ${' '}<${CopyView} text=${market.id} what="the id of the market" /><${AgeView} desk=${desk} /></h2>
    ${market.notes === undefined ? null : html`<details class="notes"><summary>The venues settle differently</summary>${market.notes.join(' ')}</details>`}
    ${omitted.length === 0 ? null : html`<p class="notes" id="omitted">Net prices leave out ${[...new Set(omitted)].join(', ')}.</p>`}
    <div class="outcomes">
      ${outcomes.value.map(it => html`<${OutcomeView} key=${it.name} desk=${desk} outcome=${it} />`)}
    </div>
    ${outcomes.value.length === 0 ? html`<p class="empty">Neither venue lists an outcome of this market with a book. Choose another market.</p>` : null}
  </section>`;
}

function OutcomeView({ desk, outcome }: { readonly desk: Desk; readonly outcome: OutcomeRoutes }) {
  const isSilent = desk.reach.silentMs.value !== null;
  const shown = outcome.routes.map((route): ShownRoute => {
    const ladder = desk.ladders.ladderOf(route);
    const own = ownOf(desk.orders.value, route);
    return { route, own, ladder: isSilent ? { ...ladder, state: 'UNKNOWN' } : ladder };
  });
  const ladders = shown.map(({ ladder }) => ladder);
  const { above, below, bid, ask } = axisOf(ladders, ROWS);
  const decimals = desk.ladders.decimals.value ?? 1;
  const most = ladders.map(({ bids, asks }) => Math.max(1, ...[...bids, ...asks].map(({ size }) => size)));
  const rowOf = (row: AxisRow) => rowView(row, shown, most, decimals);
  return html`<article>
    <h3>${outcome.name} <span class="best">best <b class="bid">${centsText(bid, decimals)}</b> / <b class="ask">${centsText(ask, decimals)}</b></span></h3>
    <${NetView} desk=${desk} name=${outcome.name} />
    <table class="ladder">
      <thead><tr>${shown.map((it, at) => html`${bookHead(it)}${at === 0 ? html`<th class="price" scope="col">price</th>` : null}`)}</tr></thead>
      <tbody>
        ${blanks(ROWS - above.length, shown.length)}
        ${above.map(rowOf)}
        <tr class="gap">${ladders.map((it, at) => html`<td>${spreadText(it, decimals)}</td>${at === 0 ? html`<td>${gapText(bid, ask, decimals)}</td>` : null}`)}</tr>
        ${below.map(rowOf)}
        ${blanks(ROWS - below.length, shown.length)}
      </tbody>
    </table>
    <${DepthView} name=${outcome.name} ladders=${shown} rows=${[...above, ...below]} decimals=${decimals} />
  </article>`;
}

/** The own orders by list of orders. They are computed once for each list, because ladders are drawn far more often. */
const owns = new WeakMap<readonly PodOrder[], Map<Route, ShownRoute['own']>>();

function ownOf(orders: readonly PodOrder[], route: Route): ShownRoute['own'] {
  const known = owns.get(orders) ?? new Map<Route, ShownRoute['own']>();
  owns.set(orders, known);
  const own = known.get(route) ?? ownSizes(orders, route);
  known.set(route, own);
  return own;
}

function bookHead({ route: { market, isNo }, ladder: { state, epoch, seq } }: ShownRoute) {
  const address = marketAddress(market);
  return html`<th class=${`book state ${state}`} scope="col" data-venue=${market.venue} data-address=${address} data-no=${String(isNo)}
      data-epoch=${epoch} data-seq=${seq}><span class="at">${venueText(market.venue)}</span>${' '}
    <span class="word">${state}</span>${isNo ? html` <small title="derived from the YES book">1 − YES</small>` : null}
    <${CopyView} text=${address} what=${`the id at ${venueText(market.venue)}`} /></th>`;
}

function rowView({ price, cells }: AxisRow, shown: readonly ShownRoute[], most: readonly number[], decimals: number) {
  return html`<tr key=${price} data-price=${price}>${cells.map((cell, at) => {
    const { route, ladder, own } = shown[at]!;
    const isPale = ladder.state === 'LIVE' ? '' : ' pale';
    const mine = own.get(price);
    const size = cell === null ? null : html`<span>${sizeText(cell.size)}</span>`;
    return html`<td class=${`size ${cell?.side ?? ''}${isPale}`} data-venue=${route.market.venue} data-size=${cell?.size ?? 0}
        style=${{ '--share': `${cell === null ? 0 : Math.round((100 * cell.size) / most[at]!)}%` }}>${
          mine === undefined ? null : ownView(mine, cell?.size ?? mine)
        }${size}</td>${at === 0 ? html`<th class="price" scope="row">${centsText(price, decimals)}</th>` : null}`;
  })}</tr>`;
}

/**
 * Shows own orders at a price. The venues do not state the queue, so at most all other orders at this price stand before the own orders.
 */
function ownView(mine: MicroShares, size: MicroShares) {
  const ahead = sizeText(Math.max(0, size - mine) as MicroShares);
  const words = `own orders of ${sizeText(mine)} rest here; at most ${ahead} stand before them`;
  return html`<b class="own" title=${words} aria-label=${words}>${formatMicroShares(mine)}</b>`;
}

function blanks(count: number, columns: number) {
  return Array.from(
    { length: Math.max(0, count) },
    (_, at) => html`<tr key=${`blank ${at}`} class="blank"><td colspan=${columns + 1}>\u00a0</td></tr>`,
  );
}

function spreadText({ bids: [bid], asks: [ask] }: Ladder, decimals: number): string {
  return bid === undefined || ask === undefined
    ? '–'
    : `spread ${centsText((ask.price - bid.price) as Ticks, decimals)}`;
}

function gapText(bid: Ticks | undefined, ask: Ticks | undefined, decimals: number): string {
  return bid === undefined || ask === undefined ? '–' : centsText((ask - bid) as Ticks, decimals);
}

/** The best price to buy and the best price to sell, net of a taker’s fees, over all routes to the outcome. */
function NetView({ desk, name }: { readonly desk: Desk; readonly name: string }) {
  const id = desk.search.chosen.value?.id ?? '';
  const best = desk.reach.silentMs.value === null ? desk.ladders.bestOf(id) : null;
  const quotes = best?.outcomes.find(it => it.name === name);
  const sinceMs = best === null ? 0 : Math.max(0, desk.now.value - best.atMs);
  return html`<p class="net">${netText('buy', quotes?.buy ?? null, sinceMs)}${netText('sell', quotes?.sell ?? null, sinceMs)}</p>`;
}

function netText(does: 'buy' | 'sell', quote: RouteQuote | null, sinceMs: number) {
  if (quote === null) return html`<span>${does}, net of fees –</span>`;
  const { netPrice, size, state, ageMs } = quote;
  const shares = sizeText(parseMicroShares(size)!);
  return html`<span data-net=${does} data-price=${netPrice}>${does}, net of fees <b class=${does === 'buy' ? 'ask' : 'bid'}>${dollarsInCents(netPrice)}</b>
    <small> ${routeText(quote)}, ${shares}, ${ageText(ageMs + sinceMs)}, ${state}</small></span>`;
}

function routeText({ venue, side }: Pick<RouteQuote, 'venue' | 'side'>): string {
  return side === undefined ? shortVenueText(venue) : `${shortVenueText(venue)} ${side}`;
}

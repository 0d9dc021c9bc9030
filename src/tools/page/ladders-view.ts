// The ladders of the chosen market. Each outcome has those of both venues side by side, and the best of both, raw and net of fees. Browser.

import { type Level, marketAddress } from '../../core/domain/market.ts';
import { parseMicroShares } from '../../core/domain/numbers.ts';
import type { RouteQuote } from '../../core/generated/api-types.ts';
import type { Desk } from './desk.ts';
import type { Ladder } from './ladders.ts';
import type { OutcomeRoutes, Route } from './routes-of-market.ts';
import { AgeView } from './silence-view.ts';
import { ageText, centsText, dollarsInCents, shortText, sizeText, venueText } from './texts.ts';
import { html } from './view.ts';

export function LaddersView({ desk }: { readonly desk: Desk }) {
  const { chosen, outcomes } = desk.search;
  const market = chosen.value;
  if (market === null) return html`<section class="ladders"><p>No market is listed yet.</p></section>`;
  const omitted = (desk.ladders.best.value?.omitted ?? []).map(it => `${routeText(it)} (${it.why})`);
  return html`<section class="ladders" aria-label="ladders">
    <h2>${market.title} <small>${market.eventId ?? ''}</small><${AgeView} desk=${desk} /></h2>
    ${market.notes === undefined ? null : html`<p class="notes">${market.notes.join(' ')}</p>`}
    ${omitted.length === 0 ? null : html`<p class="notes" id="omitted">Net prices leave out ${[...new Set(omitted)].join(', ')}.</p>`}
    <div class="outcomes">
      ${outcomes.value.map(it => html`<${OutcomeView} key=${it.name} desk=${desk} outcome=${it} />`)}
    </div>
  </section>`;
}

function OutcomeView({ desk, outcome }: { readonly desk: Desk; readonly outcome: OutcomeRoutes }) {
  const isSilent = desk.reach.silentMs.value !== null;
  const ladders = outcome.routes.map(route => {
    const ladder = desk.ladders.ladderOf(route);
    return { route, ladder: isSilent ? { ...ladder, state: 'UNKNOWN' } : ladder };
  });
  const live = ladders.map(({ ladder }) => ladder).filter(({ state }) => state === 'LIVE');
  const bid = live.flatMap(({ bids: [best] }) => best ?? []).toSorted((one, other) => other.price - one.price)[0];
  const ask = live.flatMap(({ asks: [best] }) => best ?? []).toSorted((one, other) => one.price - other.price)[0];
  return html`<article>
    <h3>${outcome.name} <span class="best">best <b class="bid">${centsText(bid?.price)}</b> / <b class="ask">${centsText(ask?.price)}</b></span></h3>
    <${NetView} desk=${desk} name=${outcome.name} />
    <div class="venues">${ladders.map(it => html`<${LadderView} key=${it.route.market.venue} ...${it} />`)}</div>
  </article>`;
}

/** The best price to buy and to sell, net of a taker’s fees, over all routes to the outcome. */
function NetView({ desk, name }: { readonly desk: Desk; readonly name: string }) {
  const best = desk.reach.silentMs.value === null ? desk.ladders.best.value : null;
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
  return side === undefined ? venueText(venue) : `${venueText(venue)} ${side}`;
}

function LadderView({ route, ladder }: { readonly route: Route; readonly ladder: Ladder }) {
  const { market, isNo } = route;
  const { state, epoch, seq, bids, asks } = ladder;
  const most = Math.max(1, ...[...bids, ...asks].map(({ size }) => size));
  const address = marketAddress(market);
  return html`<table class=${`ladder state ${state}`} data-venue=${market.venue} data-address=${address} data-no=${String(isNo)}
      data-epoch=${epoch} data-seq=${seq}>
    <caption title=${address}><b>${venueText(market.venue)}</b>${isNo ? ' (1 − YES)' : ''} <span class="word">${state}</span>
      <small>${shortText(address, 24)}</small></caption>
    <tbody>
      ${asks.toReversed().map(level => rowOf('ask', level, most))}
      <tr class="gap"><td colspan="2">${asks[0] && bids[0] ? `spread ${centsText((asks[0].price - bids[0].price) as Level['price'])}` : '–'}</td></tr>
      ${bids.map(level => rowOf('bid', level, most))}
    </tbody>
  </table>`;
}

function rowOf(side: 'bid' | 'ask', { price, size }: Level, most: number) {
  const depth = Math.round((100 * size) / most);
  return html`<tr key=${`${side}${price}`} class=${side} data-price=${price} data-size=${size}>
    <td class="price">${centsText(price)}</td>
    <td class="size"><progress max="100" value=${depth} aria-hidden="true" /><span>${sizeText(size)}</span></td>
  </tr>`;
}

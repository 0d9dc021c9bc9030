// Shows the trades at the venues in the market in view, newest first. A trade is in terms of the outcome that its book is for. Browser.

import { complementTicks, parseMicroShares, parseTicks, type Ticks } from '../../core/domain/numbers.ts';
import { nameOf, type VenueTrade } from './book-stream.ts';
import type { Desk } from './desk.ts';
import { AgeView } from './silence-view.ts';
import { centsText, clockText, sizeText } from './texts.ts';
import { shortVenueText } from './venue-names.ts';
import { html } from './view.ts';

export function TapeView({ desk }: { readonly desk: Desk }) {
  const trades = desk.ladders.tape.value;
  return html`<section class="tape" data-tab="ladders" aria-label="trades">
    <h2>Trades<${AgeView} desk=${desk} /></h2>
    ${
      trades.length === 0
        ? html`<p class="empty">No trade since this market came into view. Trades at both venues appear here as they happen.</p>`
        : html`<div class="scroll" tabindex="0" role="region" aria-label="table of trades"><table class="rows">
            <thead><tr><th>time</th><th>outcome</th><th class="number">price</th><th class="number">size</th><th>venue</th></tr></thead>
            <tbody>${trades.map(it => rowOf(desk, it))}</tbody></table></div>`
    }
  </section>`;
}

function rowOf(desk: Desk, trade: VenueTrade) {
  const { market, tradeId, price, size, takerSide, venueTime, receivedAt } = trade;
  const { outcome, isNo } = placeOf(desk, trade);
  const ticks = parseTicks(price) ?? (0 as Ticks);
  const isBuy = (takerSide === 'BUY') !== isNo;
  const side = takerSide === null ? '' : isBuy ? 'bid' : 'ask';
  return html`<tr key=${`${tradeId} ${price} ${size}`} data-trade=${tradeId}>
    <td>${clockText(venueTime ?? receivedAt).slice(0, 8)}</td><td class="title" title=${outcome}>${outcome}</td>
    <td class=${`number ${side}`}>${centsText(isNo ? complementTicks(ticks) : ticks, desk.ladders.decimals.value ?? 1)}</td>
    <td class="number">${sizeText(parseMicroShares(size)!)}</td><td>${shortVenueText(market.venue)}</td>
  </tr>`;
}

/** The outcome of a trade. The book of a ticker may stand for two outcomes. Its trades are then shown for the outcome that YES is for. */
function placeOf(desk: Desk, { market }: VenueTrade) {
  const name = nameOf(market);
  const places = desk.search.outcomes.value.flatMap(({ name: outcome, routes }) =>
    routes.filter(it => nameOf(it.market) === name).map(({ isNo }) => ({ outcome, isNo })),
  );
  return places.find(({ isNo }) => !isNo) ?? places[0] ?? { outcome: '', isNo: false };
}

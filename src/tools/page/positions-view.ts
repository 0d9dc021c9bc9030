// The holdings of the actors with their values, and the use of their limits. Browser.

import type { PodActor, VenueBBalance } from '../../core/generated/api-types.ts';
import type { Desk, PodPosition } from './desk.ts';
import { AgeView } from './silence-view.ts';
import { dollarsInCents, dollarsText, redeemableText, shortText, venueText } from './texts.ts';
import { html } from './view.ts';

export function PositionsView({ desk }: { readonly desk: Desk }) {
  const positions = desk.positions.value;
  const actors = desk.status.value?.actors ?? [];
  return html`<section class="positions" aria-label="positions">
    <h2>Positions <small>${positions.length}</small><${RedeemableView} positions=${positions} /><${AgeView} desk=${desk} /></h2>
    <table>
      <thead><tr><th>actor</th><th>venue</th><th>market</th><th class="number">holds</th><th class="number">average</th>
        <th class="number">mark</th><th class="number">value</th><th class="number">PnL</th></tr></thead>
      <tbody>${positions.map(rowOf)}</tbody>
    </table>
    <h2>Limits</h2>
    <table>
      <thead><tr><th>actor</th><th class="number">open orders</th><th class="number">largest position</th><th class="number">cost of an order</th></tr></thead>
      <tbody>${actors.map(limitsRow)}</tbody>
    </table>
    ${desk.cash.value === null ? null : cashTable(desk.cash.value)}
  </section>`;
}

function RedeemableView({ positions }: { readonly positions: readonly PodPosition[] }) {
  const waiting = positions.flatMap(({ position }) => (isRedeemable(position) ? [position.valueUsd] : []));
  const text = redeemableText(waiting);
  return text === '' ? null : html` <small class="redeemable">${text}</small>`;
}

/** An order can use the cash on the shard of its market only. */
function cashTable({ available, shards }: VenueBBalance) {
  return html`<h2>Cash at venue b <small>${dollarsText(String(available))}</small></h2>
    <table class="cash">
      <thead><tr><th>shard</th><th class="number">available</th></tr></thead>
      <tbody>${shards.map(it => html`<tr key=${it.index}><td>${it.index}</td><td class="number">${dollarsText(String(it.available))}</td></tr>`)}</tbody>
    </table>`;
}

function rowOf(shown: PodPosition) {
  const { actorId, venue } = shown;
  const it = held(shown);
  const isLoss = it.pnl.startsWith('-');
  return html`<tr key=${`${actorId} ${it.market}`}>
    <td>${actorId}</td><td>${venueText(venue)}</td><td title=${it.market}>${shortText(it.market, 22)}</td>
    <td class="number">${it.holds}</td><td class="number">${it.average}</td><td class="number">${it.mark}</td>
    <td class="number">${dollarsText(it.value)}</td><td class=${`number ${isLoss ? 'ask' : 'bid'}`}>${dollarsText(it.pnl)}</td>
  </tr>`;
}

function isRedeemable(position: PodPosition['position']): boolean {
  return 'redeemable' in position && position.redeemable;
}

function held({ position }: PodPosition) {
  const { size, averagePrice, mark, valueUsd: value, unrealizedPnlUsd: pnl } = position;
  const [market, holds] =
    'tokenId' in position ? [position.tokenId, size] : [position.ticker, `${size} ${position.side}`];
  const shown = `${isRedeemable(position) ? 'pays ' : ''}${dollarsInCents(mark)}`;
  return { market, holds, average: dollarsInCents(averagePrice), mark: shown, value, pnl };
}

function limitsRow({ actorId, openOrders, largestPosition, limits }: PodActor) {
  const { openOrdersMax, positionMax, notionalMax } = limits;
  return html`<tr key=${actorId}>
    <td>${actorId}</td>
    <td class="number">${openOrders}${openOrdersMax === null ? '' : ` of ${openOrdersMax}`}</td>
    <td class="number">${largestPosition}${positionMax === null ? '' : ` of ${positionMax}`}</td>
    <td class="number">${notionalMax === null ? 'no limit' : dollarsText(notionalMax)}</td>
  </tr>`;
}

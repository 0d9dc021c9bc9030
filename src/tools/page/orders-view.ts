// Open orders of all actors of the pod, with their age and a cancel; and the latest orders, fills and redemptions, newest first. Browser.

import { type Desk, NOTHING_SAID, type PodEvent, type PodOrder } from './desk.ts';
import { termsOf } from './order-terms.ts';
import { AgeView, CANNOT_ACT } from './silence-view.ts';
import { ageText, clockText, dollarsInCents, dollarsText, shortText, venueText } from './texts.ts';
import { CancelAllView } from './twice-view.ts';
import { html, signal } from './view.ts';

/** The last cancel that was refused, in words. */
const refused = signal(NOTHING_SAID);

export function OrdersView({ desk }: { readonly desk: Desk }) {
  const orders = desk.orders.value.toSorted((one, other) => (one.order.createdAt < other.order.createdAt ? 1 : -1));
  const mayCancel = desk.may('cancel');
  const said = desk.said(refused.value);
  return html`<section class="orders" aria-label="open orders">
    <h2>Open orders <small>${desk.hasMoreOrders.value ? 'more than ' : ''}${orders.length}</small><${AgeView} desk=${desk} /> ${mayCancel ? html`<${CancelAllView} desk=${desk} />` : null}</h2>
    ${said === '' ? null : html`<p role="alert">${said}</p>`}
    <table>
      <thead><tr><th>actor</th><th>venue</th><th>market</th><th>order</th><th class="number">price</th><th class="number">size</th>
        <th class="number">filled</th><th>status</th><th class="number">age</th><th></th></tr></thead>
      <tbody>${orders.map(it => html`<${OrderRow} key=${it.order.orderId} desk=${desk} shown=${it} mayCancel=${mayCancel} />`)}</tbody>
    </table>
  </section>`;
}

interface OrderRowParts {
  readonly desk: Desk;
  readonly shown: PodOrder;
  readonly mayCancel: boolean;
}

function OrderRow({ desk, shown, mayCancel }: OrderRowParts) {
  const { actorId, venue, order } = shown;
  const { orderId, status } = order;
  const cancel = async (): Promise<void> => {
    refused.value = await desk.cancel(orderId);
  };
  const terms = termsOf(shown);
  const isSilent = desk.reach.silentMs.value !== null;
  return html`<tr data-order=${orderId}>
    <td>${actorId}</td><td>${venueText(venue)}</td><td title=${terms.market}>${shortText(terms.market)}</td>
    <td>${terms.does}</td><td class="number">${terms.price}</td><td class="number">${terms.size}</td>
    <td class="number">${terms.filled}</td><td>${status}</td>
    <td class="number">${ageText(desk.now.value - new Date(order.createdAt).getTime())}</td>
    <td>${
      mayCancel
        ? html`<button onClick=${() => void cancel()} aria-label=${`cancel order ${orderId}`}
            title=${isSilent ? CANNOT_ACT : ''}>Cancel</button>${isSilent ? html` <small>no answer</small>` : null}`
        : null
    }</td>
  </tr>`;
}

export function TailView({ desk }: { readonly desk: Desk }) {
  return html`<section class="tail" aria-label="latest orders and fills">
    <h2>Latest<${AgeView} desk=${desk} /></h2>
    <table><tbody>${desk.tail.value.map(rowOf)}</tbody></table>
  </section>`;
}

function rowOf(event: PodEvent) {
  if (event.event === 'ACTION') return actionRow(event);
  const { number, actorId, at, order, fill } = event;
  const terms = termsOf(event);
  const what = fill === null ? order.status : `${event.event} ${fill.size} at ${dollarsInCents(fill.price)}`;
  return html`<tr key=${number} class=${event.event}>
    <td>${clockText(at)}</td><td>${actorId}</td><td title=${terms.market}>${shortText(terms.market, 22)}</td>
    <td>${terms.does} ${terms.size} at ${terms.price}</td><td>${what}</td>
  </tr>`;
}

function actionRow({ number, actorId, at, action }: Extract<PodEvent, { readonly event: 'ACTION' }>) {
  const { kind, tokenId, shares, amountUsd, status } = action;
  return html`<tr key=${number} class="ACTION">
    <td>${clockText(at)}</td><td>${actorId}</td><td title=${tokenId}>${shortText(tokenId, 22)}</td>
    <td>${kind} ${shares} for ${dollarsText(amountUsd)}</td><td>${status}</td>
  </tr>`;
}

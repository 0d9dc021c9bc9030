// Open orders of all actors of the pod, with their age and a cancel; and the latest orders and fills, newest first. Browser.

import type { Desk, PodEvent, PodOrder } from './desk.ts';
import { termsOf } from './order-terms.ts';
import { ageText, clockText, dollarsInCents, shortText, venueText } from './texts.ts';
import { CancelAllView } from './twice-view.ts';
import { html, signal } from './view.ts';

/** The last cancel that was refused, in words. */
const refused = signal('');

export function OrdersView({ desk }: { readonly desk: Desk }) {
  const orders = desk.orders.value.toSorted((one, other) => (one.order.createdAt < other.order.createdAt ? 1 : -1));
  const mayCancel = desk.may('cancel');
  return html`<section class="orders" aria-label="open orders">
    <h2>Open orders <small>${desk.hasMoreOrders.value ? 'more than ' : ''}${orders.length}</small> ${mayCancel ? html`<${CancelAllView} desk=${desk} />` : null}</h2>
    ${refused.value === '' ? null : html`<p role="alert">${refused.value}</p>`}
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
  return html`<tr data-order=${orderId}>
    <td>${actorId}</td><td>${venueText(venue)}</td><td title=${terms.market}>${shortText(terms.market)}</td>
    <td>${terms.does}</td><td class="number">${terms.price}</td><td class="number">${terms.size}</td>
    <td class="number">${terms.filled}</td><td>${status}</td>
    <td class="number">${ageText(desk.now.value - new Date(order.createdAt).getTime())}</td>
    <td>${mayCancel ? html`<button onClick=${() => void cancel()} aria-label=${`cancel order ${orderId}`}>Cancel</button>` : null}</td>
  </tr>`;
}

export function TailView({ desk }: { readonly desk: Desk }) {
  return html`<section class="tail" aria-label="latest orders and fills">
    <h2>Latest</h2>
    <table><tbody>${desk.tail.value.map(rowOf)}</tbody></table>
  </section>`;
}

function rowOf(event: PodEvent) {
  const { number, actorId, at, order, fill } = event;
  const terms = termsOf(event);
  const what = fill === null ? order.status : `${event.event} ${fill.size} at ${dollarsInCents(fill.price)}`;
  return html`<tr key=${number} class=${event.event}>
    <td>${clockText(at)}</td><td>${actorId}</td><td title=${terms.market}>${shortText(terms.market, 22)}</td>
    <td>${terms.does} ${terms.size} at ${terms.price}</td><td>${what}</td>
  </tr>`;
}

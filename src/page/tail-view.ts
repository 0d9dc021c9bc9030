// The latest orders and fills of the pod, newest first. Browser.

import type { Desk, PodEvent } from './desk.ts';
import { termsOf } from './order-terms.ts';
import { clockText, dollarsInCents, shortText } from './texts.ts';
import { html } from './view.ts';

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

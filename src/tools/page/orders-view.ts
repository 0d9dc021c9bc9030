// Shows the open orders of all actors of the pod, with their age and a button to cancel. Also shows the latest orders, fills and
// redemptions, newest first. Browser.

import { MarketView, marketText } from './copy-view.ts';
import { type Desk, NOTHING_SAID, type PodEvent, type PodOrder } from './desk.ts';
import { eventMarket, termsOf } from './order-terms.ts';
import { AgeView, CANNOT_ACT } from './silence-view.ts';
import { Table } from './table-view.ts';
import { ageText, aheadText, clockText, dollarsInCents, dollarsText, sharesText } from './texts.ts';
import { CancelAllView } from './twice-view.ts';
import { shortVenueText } from './venue-names.ts';
import { html, signal } from './view.ts';

/** The words of the last cancel that was refused. */
const refused = signal(NOTHING_SAID);

const orders = new Table<PodOrder>({
  of: 'open orders',
  keyOf: ({ order }) => order.orderId,
  empty:
    'No order is open. Orders that bots of the pod place appear here within a second; docs/WRITING-A-CLIENT.md shows how to place them.',
  columns: [
    {
      name: 'market',
      sortedBy: (it, desk) => marketText(desk, termsOf(it).market),
      shows: (it, desk) => html`<${MarketView} desk=${desk} address=${termsOf(it).market} />`,
    },
    { name: 'venue', sortedBy: ({ venue }) => shortVenueText(venue) },
    {
      name: 'order',
      sortedBy: it => termsOf(it).does,
      shows: it => html`<span class=${termsOf(it).does.startsWith('BUY') ? 'bid' : 'ask'}>${termsOf(it).does}</span>`,
    },
    {
      name: 'price',
      isNumber: true,
      sortedBy: ({ order }) => Number(order.price ?? 0),
      shows: it => termsOf(it).price,
    },
    { name: 'size', isNumber: true, sortedBy: ({ order }) => Number(order.size ?? 0), shows: it => termsOf(it).size },
    {
      name: 'filled',
      isNumber: true,
      sortedBy: it => Number(termsOf(it).filled),
      shows: it => sharesText(termsOf(it).filled),
    },
    {
      name: 'ahead',
      isNumber: true,
      sortedBy: ({ order }) => Number(order.queueAhead?.high ?? 0),
      shows: ({ order }) => aheadText(order.queueAhead),
    },
    { name: 'status', sortedBy: ({ order }) => order.status },
    {
      name: 'age',
      isNumber: true,
      sortedBy: (it, desk) => ageMs(it, desk),
      shows: (it, desk) => ageText(ageMs(it, desk)),
    },
    { name: 'actor', sortedBy: ({ actorId }) => actorId },
    { name: '', sortedBy: () => '', shows: (it, desk) => (desk.may('cancel') ? cancelView(it, desk) : null) },
  ],
});

function ageMs({ order }: PodOrder, desk: Desk): number {
  return desk.now.value - new Date(order.createdAt).getTime();
}

function cancelView({ order }: PodOrder, desk: Desk) {
  const { orderId } = order;
  const cancel = async (): Promise<void> => {
    refused.value = await desk.cancel(orderId);
  };
  const isSilent = desk.reach.silentMs.value !== null;
  return html`<button onClick=${() => void cancel()} aria-label=${`cancel order ${orderId}`}
    title=${isSilent ? CANNOT_ACT : ''}>Cancel</button>${isSilent ? html` <small>no answer</small>` : null}`;
}

export function OrdersView({ desk }: { readonly desk: Desk }) {
  const rows = desk.orders.value.toSorted((one, other) => (one.order.createdAt < other.order.createdAt ? 1 : -1));
  const said = desk.resultText(refused.value);
  return html`<section class="orders" data-tab="orders" aria-label="open orders">
    <h2>Open orders <small>${desk.hasMoreOrders.value ? 'more than ' : ''}${rows.length}</small><${AgeView} desk=${desk} />
      <${orders.filter} /> ${desk.may('cancel') ? html`<${CancelAllView} desk=${desk} />` : null}</h2>
    ${said === '' ? null : html`<p role="alert">${said}</p>`}
    <${orders.view} desk=${desk} rows=${rows} />
  </section>`;
}

const tail = new Table<PodEvent>({
  of: 'latest events',
  keyOf: ({ number }) => String(number),
  empty: 'Nothing has happened since the start. Orders, fills and redemptions of the pod appear here.',
  columns: [
    { name: 'time', sortedBy: ({ number }) => number, shows: ({ at }) => clockText(at) },
    {
      name: 'market',
      sortedBy: (it, desk) => marketText(desk, eventMarket(it)),
      shows: (it, desk) => html`<${MarketView} desk=${desk} address=${eventMarket(it)} />`,
    },
    { name: 'order', sortedBy: orderText },
    { name: 'event', sortedBy: eventText },
    { name: 'actor', sortedBy: ({ actorId }) => actorId },
  ],
});

function orderText(event: PodEvent): string {
  if (event.event === 'ACTION') {
    const { kind, shares, amountUsd } = event.action;
    return `${kind} ${sharesText(shares)} for ${dollarsText(amountUsd)}`;
  }
  const { does, size, price } = termsOf(event);
  return `${does} ${size} at ${price}`;
}

function eventText(event: PodEvent): string {
  if (event.event === 'ACTION') return event.action.status;
  const { order, fill } = event;
  return fill === null ? order.status : `${event.event} ${sharesText(fill.size)} at ${dollarsInCents(fill.price)}`;
}

export function TailView({ desk }: { readonly desk: Desk }) {
  return html`<section class="tail" data-tab="pod" aria-label="latest orders and fills">
    <h2>Latest<${AgeView} desk=${desk} /> <${tail.filter} /></h2>
    <${tail.view} desk=${desk} rows=${desk.tail.value} />
  </section>`;
}

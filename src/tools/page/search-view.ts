// Shows the search field and its results. `/` moves the keyboard to the field, arrows move through the results, and Enter chooses a result.
// Also shows the words of a gateway that does not own the pod, with a link to the owner's page. Browser.

import { parseTicks } from '../../core/domain/numbers.ts';
import type { CatalogMarket } from '../../core/generated/api-types.ts';
import type { Desk } from './desk.ts';
import { showTab } from './tabs-view.ts';
import { centsText, dayText } from './texts.ts';
import { html } from './view.ts';

const PAUSE_MS = 200;
let typing = 0;

document.addEventListener('keydown', event => {
  const field = document.querySelector<HTMLInputElement>('#search');
  if (event.key !== '/' || field === null || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  showTab('markets');
  field.focus();
});

export function SearchView({ desk }: { readonly desk: Desk }) {
  const { search } = desk;
  const { found, sought, hasMore } = search;
  const typed = (event: InputEvent): void => {
    const { value } = event.currentTarget as HTMLInputElement;
    window.clearTimeout(typing);
    typing = window.setTimeout(() => void search.find(value), PAUSE_MS);
  };
  return html`<nav class="search" data-tab="markets" aria-label="markets" onKeyDown=${walk}>
    <label>Markets <kbd>/</kbd>
      <input id="search" type="search" placeholder="team, event, ticker" autocomplete="off" onInput=${typed} /></label>
    ${found.value.length === 0 ? html`<p class="empty" role="status">${emptyText(sought.value)}</p>` : null}
    <ul>${found.value.map(market => html`<${MarketRow} key=${market.id} desk=${desk} market=${market} />`)}</ul>
    ${hasMore.value ? html`<button class="more" onClick=${() => void search.more()}>more</button>` : null}
  </nav>`;
}

function emptyText(sought: string | null): string {
  if (sought === null) return 'The list of markets is read…';
  if (sought === '') return 'No market takes orders now. Search by a name for the others.';
  return `Nothing is called “${sought}”. Each word must begin a word of a title, a team or an id: try fewer words.`;
}

/** Moves from the field down the list and back. */
function walk(event: KeyboardEvent): void {
  const nav = event.currentTarget as HTMLElement;
  const stops = [...nav.querySelectorAll<HTMLElement>('input, button')];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  if (event.key === 'Enter' && at === 0) stops[1]?.click();
  if (step === undefined) return;
  event.preventDefault();
  stops[at + step]?.focus();
}

function MarketRow({ desk, market }: { readonly desk: Desk; readonly market: CatalogMarket }) {
  const { search, schedule, ladders } = desk;
  const isChosen = market.id === search.chosen.value?.id;
  const event = schedule.of(market.eventId);
  const best = ladders.bestOf(market.id);
  const quote = best?.outcomes.find(it => it.buy !== null || it.sell !== null);
  const takesOrders = market.outcomes.some(({ listings }) => listings.some(({ executable }) => executable));
  const words = [
    event?.competition,
    event && dayText(event.startsAt),
    event?.status === 'SCHEDULED' ? '' : event?.status,
  ];
  const state = takesOrders ? (best !== null && quote === undefined ? best.omitted[0]?.why : '') : 'NO ORDERS';
  return html`<li>
    <button aria-pressed=${isChosen} data-market=${market.id} title=${market.id}
      onClick=${() => {
        search.choose(market);
        showTab('ladders');
      }}>
      <span class="name">${market.title}</span>
      <small>${[...words, state].filter(it => it !== undefined && it !== null && it !== '').join(' · ')}</small>
      ${
        quote === undefined
          ? null
          : html`<small class="quote" title=${`${quote.name}: best bid and offer of both venues`}><b class="bid">${priceText(quote.sell)}</b> / <b class="ask">${priceText(quote.buy)}</b></small>`
      }</button></li>`;
}

function priceText(quote: { readonly price: string } | null): string {
  return centsText(parseTicks(quote?.price ?? '') ?? undefined, 1);
}

export function OwnerView({ desk }: { readonly desk: Desk }) {
  const owner = desk.owner.value;
  if (owner === null) return null;
  // A standby that has stopped following the pod says why in `recordFault`.
  const why = desk.status.value?.recordFault ?? '';
  return html`<p class="owner" role="alert"><b>This gateway does not own the pod</b>${why === '' ? null : html`<span>: ${why}</span>`}.${' '}
    Orders, positions and STOP are on <a href=${`${owner}/`}>the page of ${owner}</a>.</p>`;
}

// The search field and its results; `/` moves the keyboard to it. And the words of a gateway that does not own the pod, with a link to the
// owner's page. Browser.

import type { Desk } from './desk.ts';
import type { Search } from './search.ts';
import { html } from './view.ts';

const PAUSE_MS = 200;
let typing = 0;

document.addEventListener('keydown', event => {
  const field = document.querySelector<HTMLInputElement>('#search');
  if (event.key !== '/' || field === null || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  field.focus();
});

export function SearchView({ search }: { readonly search: Search }) {
  const chosen = search.chosen.value;
  const typed = (event: InputEvent): void => {
    const { value } = event.currentTarget as HTMLInputElement;
    window.clearTimeout(typing);
    typing = window.setTimeout(() => void search.find(value), PAUSE_MS);
  };
  return html`<nav class="search" aria-label="markets">
    <label>Markets <kbd>/</kbd>
      <input id="search" type="search" placeholder="team, event, ticker" autocomplete="off" onInput=${typed} /></label>
    <ul>
      ${search.found.value.map(
        market => html`<li key=${market.id}>
          <button aria-pressed=${market.id === chosen?.id} title=${market.id} onClick=${() => search.choose(market)}>
            ${market.title}</button></li>`,
      )}
    </ul>
  </nav>`;
}

export function OwnerView({ desk }: { readonly desk: Desk }) {
  const owner = desk.owner.value;
  if (owner === null) return null;
  // A standby that stopped following says why there.
  const why = desk.status.value?.recordFault ?? '';
  return html`<p class="owner" role="alert"><b>This gateway does not own the pod</b>${why === '' ? null : html`<span>: ${why}</span>`}.${' '}
    Orders, positions and STOP are on <a href=${`${owner}/`}>the page of ${owner}</a>.</p>`;
}

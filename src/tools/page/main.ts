// The entry of the web page, and the whole page with its contents in each phase. Browser.

import type { Desk } from './desk.ts';
import { FeedsView } from './feeds-view.ts';
import { KeyView } from './key-view.ts';
import { LaddersView } from './ladders-view.ts';
import { LatencyView } from './latency-view.ts';
import { OrdersView, TailView } from './orders-view.ts';
import { begin, phase, startAnew } from './phases.ts';
import { PnlView } from './pnl-view.ts';
import { PositionsView } from './positions-view.ts';
import { OwnerView, SearchView } from './search-view.ts';
import { SilenceView } from './silence-view.ts';
import { shownTab, TabsView } from './tabs-view.ts';
import { TapeView } from './tape-view.ts';
import { html, render } from './view.ts';

function App() {
  const now = phase.value;
  switch (now.type) {
    case 'starting':
      return html`<main class="notice"><p>Starting…</p></main>`;
    case 'impossible':
      return html`<main class="notice"><h1>crossbook</h1><p role="alert">${now.why}</p></main>`;
    case 'unregistered':
      return html`<${KeyView} ownKey=${now.key} why=${now.why} />`;
    case 'closed':
      return html`<main class="notice" id="closed">
        <h1>Closed</h1>
        <p role="alert">${now.why}</p>
        <p><button onClick=${() => location.reload()}>Try again</button>
          <button onClick=${() => void startAnew()}>Forget this key and make another</button></p>
      </main>`;
    default:
      return html`<${DeskView} desk=${now.desk} />`;
  }
}

function DeskView({ desk }: { readonly desk: Desk }) {
  const isOwned = desk.owner.value === null;
  return html`<${SilenceView} desk=${desk} />
  <${OwnerView} desk=${desk} />
  <main class=${desk.reach.silentMs.value === null ? 'desk' : 'desk silent'} data-shows=${shownTab()}>
    <${FeedsView} desk=${desk} />
    <${SearchView} desk=${desk} />
    <${LaddersView} desk=${desk} />
    <${TapeView} desk=${desk} />
    ${isOwned ? html`<${OrdersView} desk=${desk} /><${PositionsView} desk=${desk} /><${PnlView} desk=${desk} />` : null}
    <${LatencyView} desk=${desk} />
    ${isOwned ? html`<${TailView} desk=${desk} />` : null}
  </main>
  <${TabsView} />`;
}

render(html`<${App} />`, document.body);
void begin();

// Chooses the part of the page that a phone shows. Wider screens show all parts. Browser.

import { html, signal } from './view.ts';

const TABS = { markets: 'Markets', ladders: 'Ladders', orders: 'Orders', positions: 'Positions', pod: 'Pod' } as const;
type Tab = keyof typeof TABS;

const shown = signal<Tab>('ladders');

export function showTab(tab: Tab): void {
  shown.value = tab;
}

/** The tab in view, for the style sheet. */
export function shownTab(): Tab {
  return shown.value;
}

export function TabsView() {
  return html`<nav class="tabs" aria-label="parts of the page">
    ${(Object.entries(TABS) as [Tab, string][]).map(
      ([tab, words]) => html`<button key=${tab} data-to=${tab} aria-pressed=${shown.value === tab}
        onClick=${() => {
          showTab(tab);
          window.scrollTo(0, 0);
        }}>${words}</button>`,
    )}
  </nav>`;
}

// A button that copies a text, and a view of a market by its title. The market's id is in a tooltip, and the button copies it. Browser.

import type { Desk } from './desk.ts';
import { showTab } from './tabs-view.ts';
import { shortText } from './texts.ts';
import { html, signal } from './view.ts';

const DONE_MS = 2_000;
/** The text that was copied a moment ago. */
const copied = signal('');

interface CopyParts {
  readonly text: string;
  /** The name of the copied text, for people. */
  readonly what: string;
  /** The words on the button. Without them the button has a sign. */
  readonly words?: string;
}

const SIGN = html`<svg viewBox="0 0 12 12" aria-hidden="true"><path d="M4 8H1V1h7v3M4 4h7v7H4z" /></svg>`;

export function CopyView({ text, what, words }: CopyParts) {
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    copied.value = text;
    setTimeout(() => {
      copied.value = '';
    }, DONE_MS);
  };
  return html`<button class="copy" title=${text} aria-label=${`copy ${what}`} onClick=${() => void copy()}>${copied.value === text ? '✓ copied' : (words ?? SIGN)}</button>`;
}

interface MarketParts {
  readonly desk: Desk;
  /** The token id or ticker. */
  readonly address: string;
}

/** Shows a market by its title. A press shows the ladders of the market. */
export function MarketView({ desk, address }: MarketParts) {
  const title = desk.titles.of(address);
  const choose = (): void => {
    if (title === null) return;
    desk.search.choose(title.market);
    showTab('ladders');
  };
  const words =
    title === null
      ? html`<code>${shortText(address)}</code>`
      : html`<button class="link" onClick=${choose}><b>${title.outcome}</b> ${title.market.title}</button>`;
  return html`<span class="market" data-address=${address} title=${address}>${words}
    <${CopyView} text=${address} what=${`the id of ${title?.market.title ?? 'the market'}`} /></span>`;
}

/** The words by which a market is sorted and filtered. */
export function marketText(desk: Desk, address: string): string {
  const title = desk.titles.of(address);
  return title === null ? address : `${title.market.title} ${title.outcome} ${address}`;
}

// Cancels every open order of the pod: the first press asks, the second acts. Browser.

import type { Desk } from './desk.ts';
import { html, signal } from './view.ts';

const ASKS_MS = 5_000;

const isAsking = signal(false);
/** What the last one has done, in words. */
const done = signal('');

export function CancelAllView({ desk }: { readonly desk: Desk }) {
  const press = async (): Promise<void> => {
    if (isAsking.value) {
      isAsking.value = false;
      done.value = 'cancelling…';
      done.value = await desk.cancelAll();
      return;
    }
    isAsking.value = true;
    setTimeout(() => {
      isAsking.value = false;
    }, ASKS_MS);
  };
  return html`<button id="cancel-all" onClick=${() => void press()}>${isAsking.value ? 'Press again to cancel all' : 'Cancel all'}</button>
    <output>${done.value}</output>`;
}

// Buttons that act at their second press. The first press asks for confirmation. Browser.

import { type Desk, NOTHING_SAID, type Outcome } from './desk.ts';
import { CANNOT_ACT } from './silence-view.ts';
import { html, signal } from './view.ts';

const ASKS_MS = 10_000;

interface ButtonParts {
  readonly id: string;
  readonly words: string;
  /** The text of the button once it is pressed. */
  readonly asks: string;
  readonly act: (desk: Desk) => Promise<Outcome>;
}

export const CancelAllView = pressedTwice({
  id: 'cancel-all',
  words: 'Cancel all',
  asks: 'Press again to cancel all',
  act: desk => desk.cancelAll(),
});

export const StopView = pressedTwice({
  id: 'stop',
  words: 'STOP',
  asks: 'Press again to STOP',
  act: desk => desk.stop(),
});

function pressedTwice({ id, words, asks, act }: ButtonParts) {
  const isAsking = signal(false);
  const done = signal(NOTHING_SAID);
  let asking = 0;
  const press = async ({ detail }: MouseEvent, desk: Desk): Promise<void> => {
    // A double click counts as one press.
    if (detail > 1) return;
    window.clearTimeout(asking);
    isAsking.value = !isAsking.value;
    if (isAsking.value) {
      asking = window.setTimeout(() => {
        isAsking.value = false;
      }, ASKS_MS);
      return;
    }
    done.value = { words: '…', returns: null };
    done.value = await act(desk);
  };
  /** A key that is held down counts as one press, too. */
  const hold = (event: KeyboardEvent): void => {
    if (event.repeat) event.preventDefault();
  };
  return ({ desk }: { readonly desk: Desk }) => {
    const asksNow = isAsking.value;
    return html`<button id=${id} class=${asksNow ? 'asks' : ''} onKeyDown=${hold}
        onClick=${(event: MouseEvent) => void press(event, desk)}>${asksNow ? asks : words}</button>
${' '}<output>${desk.reach.silentMs.value === null ? desk.resultText(done.value) : CANNOT_ACT}</output>`;
  };
}

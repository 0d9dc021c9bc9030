// Shows that the gateway is silent, by a banner over the whole width of the page and by the age of each part. Browser.

import type { Desk } from './desk.ts';
import { ageText } from './texts.ts';
import { html } from './view.ts';

/** The text beside a button. The button still tries to act. */
export const CANNOT_ACT = 'cannot act: the gateway does not answer';

export function SilenceView({ desk }: { readonly desk: Desk }) {
  const silentMs = desk.reach.silentMs.value;
  if (silentMs === null) return null;
  return html`<p class="silence" role="alert"><b>The gateway has not answered for ${ageText(silentMs)}.</b>${' '}
    All below is as it was then. Orders may still rest at the venues. The page asks again each second.</p>`;
}

/** Shows the age in the heading of a part. */
export function AgeView({ desk }: { readonly desk: Desk }) {
  const silentMs = desk.reach.silentMs.value;
  return silentMs === null ? null : html` <small class="age">${ageText(silentMs)} old</small>`;
}

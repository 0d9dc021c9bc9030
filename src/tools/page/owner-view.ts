// The page of a gateway that does not own the pod: it names the owner, and links to the owner's page. Browser.

import type { Desk } from './desk.ts';
import { html } from './view.ts';

export function OwnerView({ desk }: { readonly desk: Desk }) {
  const owner = desk.owner.value;
  if (owner === null) return null;
  // A standby that stopped following says why there.
  const why = desk.status.value?.recordFault ?? '';
  return html`<p class="owner" role="alert"><b>This gateway does not own the pod</b>${why === '' ? null : html`<span>: ${why}</span>`}.${' '}
    Orders, positions and STOP are on <a href=${`${owner}/`}>the page of ${owner}</a>.</p>`;
}

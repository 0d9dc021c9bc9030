// The top of the page: the pod, the state of the feeds and the process, and the faults. Browser.

import type { PodStatus } from '../../core/generated/api-types.ts';
import { alarmsOf, feedState, troubleTexts } from './alarms.ts';
import type { Desk } from './desk.ts';
import { quantileUs } from './latency.ts';
import { AgeView } from './silence-view.ts';
import { ageText, durationText } from './texts.ts';
import { StopView } from './twice-view.ts';
import { shortVenueText, venueText } from './venue-names.ts';
import { html } from './view.ts';

export function FeedsView({ desk }: { readonly desk: Desk }) {
  const status = desk.status.value;
  const troubles = desk.troubles.value;
  if (status === null) return html`<header><h1>crossbook</h1><p>${troubles.get('status') ?? 'reading…'}</p></header>`;
  const submits = status.latencies.find(({ stage }) => stage === 'submit')?.buckets ?? [];
  const streamDown = desk.ladders.down.value;
  const isSilent = desk.reach.silentMs.value !== null;
  // While the gateway is silent, the banner says why parts are out of date.
  const own = isSilent ? [] : [...troubleTexts(troubles), ...(streamDown === null ? [] : [`no stream: ${streamDown}`])];
  const isOwned = desk.owner.value === null;
  // If another gateway owns the pod, the banner that names the owner has the words of `recordFault`.
  const alarms = [...own, ...alarmsOf(isOwned ? status : { ...status, recordFault: null }, venueText)];
  return html`<header>
    <h1>crossbook <small class="version">${status.version}</small> <b class=${`mode ${status.mode}`} title=${MODES[status.mode]}>${status.mode}</b><${AgeView} desk=${desk} /></h1>
    <dl class="figures">
      <div><dt>pod</dt><dd>${status.podId}</dd></div>
      <div><dt>up for</dt><dd>${ageText(desk.now.value - new Date(status.startedAt).getTime())}</dd></div>
      <div><dt>orders/s</dt><dd>${desk.submitsPerS.value}</dd></div>
      <div><dt>p50</dt><dd>${durationText(quantileUs(submits, 0.5))}</dd></div>
      <div><dt>p99</dt><dd>${durationText(quantileUs(submits, 0.99))}</dd></div>
      <div><dt>book changes/s</dt><dd>${desk.ladders.changesPerS.value}</dd></div>
    </dl>
    <ul class="feeds" aria-label="feeds">
      ${status.feeds.map(feed => {
        const state = feedState(feed);
        const books = Object.entries(feed.books).filter(([, count]) => count > 0);
        return html`<li key=${feed.venue} class=${`state ${isSilent ? 'UNKNOWN' : state}`} data-feed=${feed.venue}>
          <b title=${venueText(feed.venue)}>${shortVenueText(feed.venue)}</b> <span class="word">${isSilent ? `was ${state}` : state}</span>
          <span>${ageText(feed.frameAgeMs)}</span>
          <span class="books">${books.map(([name, count]) => `${count} ${name}`).join(', ')}</span>
          ${feed.tradable ? null : html`<em>no orders</em>`}
        </li>`;
      })}
    </ul>
    ${isOwned && desk.may('cancel') ? html`<div class="stop"><${StopView} desk=${desk} /></div>` : null}
    ${status.stopped.length === 0 ? null : stopsView(status.stopped)}
    ${
      alarms.length === 0
        ? null
        : html`<div class="alarms" role="alert"><ul aria-label="alarms">${alarms.map(it => html`<li key=${it}>${it}</li>`)}</ul></div>`
    }
  </header>`;
}

const MODES: Readonly<Record<PodStatus['mode'], string>> = {
  PAPER: 'the paper exchanges: no order reaches a real venue',
  REPLAY: 'a recording: nothing can be traded',
  LIVE_PAPER: 'books of the real venues; no order reaches them',
  BOOKS: 'books of the real venues, without accounts there',
  LIVE: 'orders go to the real venues, with real money',
};

/** Shows the stops. Only the operator can resume. */
function stopsView(stopped: readonly string[]) {
  const commands = stopped.map(scope => `npx crossbook resume ${scope === '*' ? '--all' : scope}`);
  return html`<p class="stopped" role="alert"><b>STOPPED</b> New orders are refused. To resume, run at the gateway:
    ${commands.map(it => html` <code key=${it}>${it}</code>`)}</p>`;
}

// Shows the limits of each actor and of the pod: how much of each is used, as a bar, and the loss of the day. Browser.

import type { LossLimit, PodActor, Risk } from '../../core/generated/api-types.ts';
import type { Desk } from './desk.ts';
import { dollarsText, sharesText } from './texts.ts';
import { html } from './view.ts';

type Limits = Risk['actors'][number]['limits'];

/** The share from which a bar warns. */
const HIGH = 0.8;

export function RiskView({ desk }: { readonly desk: Desk }) {
  const actors = desk.status.value?.actors ?? [];
  const risk = desk.risk.value;
  return html`<div class="risk"><h3>Limits</h3>
    <table class="rows cards">
      <thead><tr><th>actor</th><th class="number">open orders</th><th class="number">largest position</th><th class="number">loss of one event</th><th class="number">loss of the day</th><th class="number">cost of an order</th></tr></thead>
      <tbody>${actors.map(actor => actorRow(actor, risk))}${risk === null ? null : podRow(risk.pod)}</tbody>
    </table></div>`;
}

function actorRow({ actorId, openOrders, largestPosition, limits }: PodActor, risk: Risk | null) {
  const own = risk?.actors.find(it => it.actorId === actorId);
  const { openOrdersMax, positionMax, notionalMax } = limits;
  return html`<tr key=${actorId} data-risk=${actorId}>
    <td>${actorId}</td>
    ${useCell('open orders', String(openOrders), openOrdersMax === null ? null : String(openOrdersMax), text => text)}
    ${useCell('largest position', largestPosition, positionMax, sharesText)}
    ${eventCell(own?.limits ?? [], 'exposureMax')}
    ${lossCell(own?.loss ?? null)}
    <td class="number" data-name="cost of an order">${notionalMax === null ? 'no limit' : dollarsText(notionalMax)}</td>
  </tr>`;
}

/** The row of the pod, which is only shown if the pod has a limit of its own. */
function podRow(pod: Risk['pod']) {
  if (pod === null || (pod.limits.length === 0 && pod.loss === null)) return null;
  return html`<tr key="the pod" data-risk="the pod">
    <td>the whole pod</td><td /><td />
    ${eventCell(pod.limits, 'podExposureMax')}
    ${lossCell(pod.loss)}
    <td />
  </tr>`;
}

function eventCell(limits: Limits, name: string) {
  const limit = limits.find(it => it.name === name);
  if (limit === undefined) return html`<td class="number" data-name="loss of one event">no limit</td>`;
  if (limit.used === null) return html`<td class="number" data-name="loss of one event">unknown</td>`;
  return useCell('loss of one event', limit.used, limit.max, dollarsText);
}

function lossCell(loss: LossLimit | null) {
  if (loss === null) return html`<td class="number" data-name="loss of the day">no limit</td>`;
  return useCell('loss of the day', loss.lossUsd, loss.lossMaxUsd, dollarsText);
}

/** `max` is null if there is no limit. */
function useCell(name: string, used: string, max: string | null, text: (value: string) => string) {
  if (max === null) return html`<td class="number" data-name=${name}>${text(used)}</td>`;
  const share = Math.min(1, Math.max(0, Number(used) / Number(max)));
  const level = share >= 1 ? 'use full' : share >= HIGH ? 'use high' : 'use';
  return html`<td class="number" data-name=${name}>${text(used)} of ${text(max)}<span
    class=${level} role="meter" aria-label=${`${name}, used`} aria-valuemin="0" aria-valuemax="100"
    aria-valuenow=${Math.round(100 * share)} style=${{ '--used': `${100 * share}%` }} /></td>`;
}

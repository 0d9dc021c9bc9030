// Shows the holdings of the actors with their values. Browser.

import type { VenueBBalance } from '../../core/generated/api-types.ts';
import { MarketView, marketText } from './copy-view.ts';
import type { Desk, PodPosition } from './desk.ts';
import { positionMarket } from './order-terms.ts';
import { RiskView } from './risk-view.ts';
import { AgeView } from './silence-view.ts';
import { Table } from './table-view.ts';
import { dollarsInCents, dollarsText, redeemableText, sharesText } from './texts.ts';
import { shortVenueText, venueText } from './venue-names.ts';
import { html } from './view.ts';

const positions = new Table<PodPosition>({
  of: 'positions',
  keyOf: it => `${it.actorId} ${positionMarket(it)}`,
  empty: 'Nothing is held. A fill of an order makes a position, and it appears here within seconds.',
  columns: [
    {
      name: 'market',
      sortedBy: (it, desk) => marketText(desk, positionMarket(it)),
      shows: (it, desk) => html`<${MarketView} desk=${desk} address=${positionMarket(it)} />`,
    },
    { name: 'venue', sortedBy: ({ venue }) => shortVenueText(venue) },
    { name: 'side', sortedBy: ({ position }) => ('side' in position ? position.side : '') },
    {
      name: 'holds',
      isNumber: true,
      sortedBy: held(it => it.size),
      shows: ({ position }) => sharesText(position.size),
    },
    {
      name: 'average',
      isNumber: true,
      sortedBy: held(it => it.averagePrice),
      shows: it => dollarsInCents(it.position.averagePrice),
    },
    {
      name: 'mark',
      isNumber: true,
      sortedBy: held(it => it.mark),
      shows: ({ position }) => `${isRedeemable(position) ? 'pays ' : ''}${dollarsInCents(position.mark)}`,
    },
    {
      name: 'value',
      isNumber: true,
      sortedBy: held(it => it.valueUsd),
      shows: ({ position }) => dollarsText(position.valueUsd),
    },
    {
      name: 'PnL',
      isNumber: true,
      sortedBy: held(it => it.unrealizedPnlUsd),
      shows: ({ position: { unrealizedPnlUsd: pnl } }) =>
        html`<span class=${pnl.startsWith('-') ? 'ask' : 'bid'}>${dollarsText(pnl)}</span>`,
    },
    { name: 'actor', sortedBy: ({ actorId }) => actorId },
  ],
});

function held(read: (position: PodPosition['position']) => string): (row: PodPosition) => number {
  return ({ position }) => Number(read(position));
}

export function PositionsView({ desk }: { readonly desk: Desk }) {
  const rows = desk.positions.value;
  return html`<section class="positions" data-tab="positions" aria-label="positions">
    <h2>Positions <small>${rows.length}</small><${RedeemableView} rows=${rows} /><${AgeView} desk=${desk} /> <${positions.filter} /></h2>
    <${positions.view} desk=${desk} rows=${rows} />
    <div class="besides">
      <${RiskView} desk=${desk} />
      ${desk.cash.value === null ? null : cashTable(desk.cash.value)}
    </div>
  </section>`;
}

function RedeemableView({ rows }: { readonly rows: readonly PodPosition[] }) {
  const waiting = rows.flatMap(({ position }) => (isRedeemable(position) ? [position.valueUsd] : []));
  const text = redeemableText(waiting);
  return text === '' ? null : html` <small class="redeemable">${text}</small>`;
}

/** Shows the cash by shard, because an order can only use the cash on the shard of its market. */
function cashTable({ available, shards }: VenueBBalance) {
  return html`<div><h3>Cash at ${venueText('venue_b')} <small>${dollarsText(String(available))}</small></h3>
    <table class="rows cash">
      <thead><tr><th>shard</th><th class="number">available</th></tr></thead>
      <tbody>${shards.map(it => html`<tr key=${it.index}><td>${it.index}</td><td class="number">${dollarsText(String(it.available))}</td></tr>`)}</tbody>
    </table></div>`;
}

function isRedeemable(position: PodPosition['position']): boolean {
  return 'redeemable' in position && position.redeemable;
}

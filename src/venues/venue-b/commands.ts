// The feed's commands on venue B's stream (venue-b.md §10.1), as sent. Venue B's feed thread.

export type Channel = 'orderbook_delta' | 'trade' | 'market_lifecycle_v2';

/** Opens a subscription; without tickers it covers all markets. */
export function subscribeCommand(id: number, channel: Channel, tickers: readonly string[] | null): string {
  const filter = tickers === null ? {} : { market_tickers: tickers };
  // Explicit, because the venue's default for use_yes_price is to change.
  const view = channel === 'orderbook_delta' ? { use_yes_price: false } : {};
  return JSON.stringify({ id, cmd: 'subscribe', params: { channels: [channel], ...filter, ...view } });
}

export type UpdateAction = 'add_markets' | 'delete_markets' | 'get_snapshot';

export function updateCommand(id: number, sid: number, action: UpdateAction, tickers: readonly string[]): string {
  return JSON.stringify({ id, cmd: 'update_subscription', params: { sid, market_tickers: tickers, action } });
}

export function unsubscribeCommand(id: number, sid: number): string {
  return JSON.stringify({ id, cmd: 'unsubscribe', params: { sids: [sid] } });
}

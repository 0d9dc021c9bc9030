// What an API key of venue B may be for (venue-b.md §2), and what the server says of a key to its routes. Pure.

const SCOPES = [
  'read',
  'write',
  'read::portfolio_balance',
  'read::block_trade_accept',
  'write::trade',
  'write::transfer',
  'write::block_trade_accept',
  'write::fcm_risk',
] as const;
export type Scope = (typeof SCOPES)[number];

export const ALL_SCOPES: readonly Scope[] = ['read', 'write'];

export function isScope(value: unknown): value is Scope {
  return SCOPES.some(scope => scope === value);
}

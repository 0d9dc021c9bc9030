// Scopes of venue B's API keys (venue-b.md §2), and what the server passes to routes about a key. Pure.

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

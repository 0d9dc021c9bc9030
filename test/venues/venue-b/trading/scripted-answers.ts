// Venue B's answers as they arrive.

import type { OutboundOutcome } from '../../../../src/core/net/outbound.ts';

/** `body`: text, or what becomes JSON. */
export function answer(status: number, body: unknown, headers: Record<string, string> = {}): OutboundOutcome {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { type: 'answer', status, headers: new Map(Object.entries(headers)), body: Buffer.from(text) };
}

/** In the venue's own words. */
export const error = (code: string, details?: string): unknown => ({
  error: { code, message: code.toLowerCase().replaceAll('_', ' '), ...(details === undefined ? {} : { details }) },
});

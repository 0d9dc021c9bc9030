// Refusals of the second version of the Data API (venue-a.md §8). Thread of the paper exchanges.

import { jsonReply, type Reply } from '../../../core/net/listen.ts';

export function invalidRequest(parameter: string, error: string): Reply {
  return jsonReply(400, { error, code: 'invalid_request', retryable: false, trace_id: '', parameter });
}

// The error body of the signed family (contract §3). Main thread.

import { jsonReply, type Reply } from '../net/listen.ts';

export function errorReply(status: number, code: string, message: string): Reply {
  return jsonReply(status, { error: { code, message } });
}

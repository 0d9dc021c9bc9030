// The answer of a gateway that does not own the caller's pod (beyond §7): nothing was done, and who owns it. Main and engine thread.

import type { OperationReply } from '../domain/operation.ts';
import { errorReply, unavailableReply } from './replies.ts';

const POD_OWNER = 'SVC-Pod-Owner';

/** `owner`: its base URL. A submission is 503, as a 4xx would mean that it must change (interface §7); all else is 421. */
export function elsewhereReply(owner: string, { isSubmission = false } = {}): OperationReply {
  const words = `the gateway at ${owner} owns the pod: nothing was done`;
  const reply = isSubmission ? unavailableReply(words) : errorReply('elsewhere', words);
  return { ...reply, headers: [...reply.headers, [POD_OWNER, owner]] };
}

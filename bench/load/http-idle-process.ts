// A process that only answers its parent: the lateness of its timers is the machine's share.

import { answerParent } from './process-answers.ts';

process.once('message', () => {
  process.send?.(null);
  answerParent();
});

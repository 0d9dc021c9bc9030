// A process that does nothing but answer its parent: how late its timers are is what the machine's load alone costs.

import { answerParent } from './process-answers.ts';

process.once('message', () => {
  process.send?.(null);
  answerParent();
});

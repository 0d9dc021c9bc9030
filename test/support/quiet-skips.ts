// The reporter of a test run. Files whose tests are all skipped are not listed: the run has named once what they lack, and the summary
// counts them.

import { DefaultReporter, type TestModule } from 'vitest/node';

export class QuietSkips extends DefaultReporter {
  protected override printTestModule(module: TestModule): void {
    if (module.state() !== 'skipped') super.printTestModule(module);
  }
}

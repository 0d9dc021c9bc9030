// The reporter of a test run. It does not list files whose tests are all skipped. The run has said once which packages or recordings are
// missing, and the summary counts the skipped files.

import { DefaultReporter, type TestModule } from 'vitest/node';

export class QuietSkips extends DefaultReporter {
  protected override printTestModule(module: TestModule): void {
    if (module.state() !== 'skipped') super.printTestModule(module);
  }
}

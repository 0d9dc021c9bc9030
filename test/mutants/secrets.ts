// Places at which a secret would get out.

import type { Mutant } from './mutants.ts';

export const SECRETS: readonly Mutant[] = [
  {
    name: 'a key that others can read is used',
    file: 'src/core/runtime/private-file.ts',
    search: 'const OTHERS = 0o077;',
    replace: 'const OTHERS = 0o007;',
    tests: ['test/core/runtime/private-file.test.ts'],
  },
  {
    name: 'a key is written for others to read',
    file: 'src/core/runtime/private-file.ts',
    search: "openSync(draft, 'wx', 0o600)",
    replace: "openSync(draft, 'wx', 0o640)",
    tests: ['test/core/runtime/private-file.test.ts'],
  },
  {
    name: 'a secret is logged',
    file: 'src/core/runtime/log.ts',
    search: "if (SECRET_FIELD.test(field)) return '[redacted]';",
    replace: '',
    tests: ['test/core/runtime/log.test.ts'],
  },
];

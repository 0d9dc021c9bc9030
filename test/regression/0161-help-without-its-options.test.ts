// Found by asking for the help of one command. `--data-dir` of keys, api-keys and limits was in the help of pods alone. The gateway's own
// help had a setting that only tests read.

import { expect, it } from 'vitest';
import { CALL_USAGE } from '../../src/cli/call.ts';
import { CATALOG_USAGE } from '../../src/cli/catalog.ts';
import { API_KEYS_USAGE, KEYS_USAGE } from '../../src/cli/keys.ts';
import { LIMITS_USAGE } from '../../src/cli/limits.ts';
import { PAPER_USAGE } from '../../src/cli/paper-options.ts';
import { PODS_USAGE } from '../../src/cli/pods.ts';
import { STORE_USAGE } from '../../src/cli/store.ts';
import { BOOK_USAGE } from '../../src/cli/watch-book.ts';
import { helpFor } from '../../src/config.ts';

it.each([
  ['api-keys', API_KEYS_USAGE],
  ['book', BOOK_USAGE],
  ['call', CALL_USAGE],
  ['catalog', CATALOG_USAGE],
  ['keys', KEYS_USAGE],
  ['limits', LIMITS_USAGE],
  ['paper', PAPER_USAGE],
  ['pods', PODS_USAGE],
  ['store', STORE_USAGE],
])('help %s tells where the data is', (_name, usage) => {
  expect(usage).toContain('--data-dir DIR');
});

it('the gateway helps with what it reads', () => {
  expect(helpFor(['--help'])).toContain('  CROSSBOOK_DATA_DIR\n');
  expect(helpFor(['--help'])).not.toContain('  CROSSBOOK_DATA\n');
});

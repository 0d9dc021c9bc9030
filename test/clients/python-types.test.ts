// The types of the Python client fit together.

import { it } from 'vitest';
import { lacks } from '../support/debian-packages.ts';
import { PATIENCE_MS } from '../support/eventually.ts';
import { PYTHON, succeeds } from './program.ts';

const PACKAGES = ['mypy', 'python3-cryptography', 'python3-httpx', 'python3-websockets'];
/** mypy reads the types of all packages first, which takes 18 s of a core. */
const LONG_MS = 10 * PATIENCE_MS;

it.skipIf(lacks(...PACKAGES))(
  'the client’s types fit together, those of examples and tests too (needs mypy)',
  async () => {
    const parts = ['clients/python/crossbook', 'clients/python/tests', 'examples'];
    const roots = ['', '/tests', '/tests/live'].map(folder => `clients/python${folder}`).join(':');
    const options = ['--strict', '--explicit-package-bases', '--cache-dir=/dev/null'];
    await succeeds([PYTHON, '-m', 'mypy', ...options, ...parts], { MYPYPATH: roots });
  },
  LONG_MS,
);

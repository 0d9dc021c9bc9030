// The wheel and the source distribution of the Python client, built as the release workflow builds them, and each installed in a clean
// virtual environment. Debian's packages stand for those that pip would load.

import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lacks } from '../support/debian-packages.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { PYTHON, PYTHON_CLIENT, succeeds } from './program.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const BUILDERS = ['python3-build', 'python3-setuptools', 'python3-venv', 'python3-wheel'];
const NEEDED = ['python3-cryptography', 'python3-httpx', 'python3-websockets'];
/** Python that sees no folder of the clone. */
const ALONE = { PYTHONPATH: '' };

const WHO = `
import asyncio, importlib.metadata, pathlib, sys
import crossbook
assert pathlib.Path(crossbook.__file__).is_relative_to(sys.prefix), crossbook.__file__
assert (pathlib.Path(crossbook.__file__).parent / "py.typed").exists()
from crossbook import Client, Signer
client = Client("http://127.0.0.1:1", Signer("key", "00" * 32), retry_for_s=0)
print(importlib.metadata.version("crossbook"), type(client.submit_venue_b_order({"ticker": "T", "side": "YES", "action": "BUY", "count": 1, "priceCents": 1})).__name__)
`;

describe.skipIf(lacks(...BUILDERS, ...NEEDED))('the Python package', () => {
  const folder = temporaryFolder();
  const built = join(folder, 'dist');
  afterAll(() => removeFolder(folder));

  beforeAll(async () => {
    // The build leaves files beside its sources.
    cpSync(PYTHON_CLIENT, join(folder, 'source'), { recursive: true });
    await succeeds([PYTHON, '-m', 'build', '--no-isolation', '--outdir', built, join(folder, 'source')], ALONE);
  });

  it('is a wheel and a source distribution of the gateway’s version', () => {
    expect(readdirSync(built).toSorted()).toEqual([
      `crossbook-${version}-py3-none-any.whl`,
      `crossbook-${version}.tar.gz`,
    ]);
  });

  it.each(['.whl', '.tar.gz'])('works in a clean environment from its %s', async ending => {
    const environment = join(folder, `environment${ending}`);
    await succeeds([PYTHON, '-m', 'venv', '--system-site-packages', environment]);
    const python = join(environment, 'bin/python');
    const file = readdirSync(built).find(name => name.endsWith(ending))!;
    await succeeds([python, '-m', 'pip', 'install', '--no-index', '--no-build-isolation', join(built, file)], ALONE);
    expect(await succeeds([python, '-c', WHO], ALONE, folder)).toBe(`${version} Refused\n`);
  });
});

// The modules that a thread loads to talk HTTP.

import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { START_FLAGS } from '../../support/child-process.ts';

const MODULES = ['tools/client/node-client.ts', 'core/net/exchange.ts', 'core/net/http.ts', 'core/net/outbound.ts'];

it('5302: Node’s WebSocket client is not loaded for HTTP', () => {
  const imports = MODULES.map(
    path => `await import(${JSON.stringify(new URL(`../../../src/${path}`, import.meta.url))});`,
  );
  const code = `${imports.join('\n')}\nconsole.log(process.moduleLoadList.filter(name => /undici|https?$/.test(name)).join());`;
  const flags = ['--input-type=module', '--eval', code];
  const loaded = execFileSync(process.execPath, [...START_FLAGS, ...flags], { encoding: 'utf8' });
  expect(loaded).toContain('NativeModule https');
  expect(loaded).not.toContain('undici');
});

// The programs of docs/OPERATIONS.md that check an alarm. They accept a signed alarm, and refuse an alarm that is old, changed, or signed
// with another secret.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Alarm, alarmRequest } from '../../../src/core/alerts/alarm-request.ts';
import type { UnixMillis } from '../../../src/core/domain/numbers.ts';
import { PYTHON } from '../../clients/program.ts';
import { lacks } from '../../support/debian-packages.ts';

const TEXT = readFileSync('docs/OPERATIONS.md', 'utf8').split('`Crossbook-Signature` is the HMAC')[1]!;
const programIn = (language: string): string => new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(TEXT)![1]!;

const SECRET = 'a secret of the operator';
const OLD_MS = 600_000;

interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function received(sentAt: number, secret = SECRET): Received {
  const alarm: Alarm = {
    id: '1',
    kind: 'test',
    at: 0 as UnixMillis,
    count: 1,
    lines: ['é'],
    orders: [],
    gateway: 'here',
  };
  const settings = { url: 'https://a.example/hook', format: 'json', kinds: [], secret } as const;
  const { headers, body } = alarmRequest(settings, alarm, () => sentAt);
  return { headers: (headers as () => Record<string, string>)(), body: body as string };
}

function inNode({ headers, body }: Received): string {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const given = `const [headers, body, secret] = ${JSON.stringify([named, body, SECRET])};`;
  const program = `${given}\n${programIn('ts')}\nconsole.log(isGenuine);`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
}

function inPython({ headers, body }: Received): string {
  const given = `headers, body, secret = ${JSON.stringify(headers)}, ${JSON.stringify(body)}.encode(), b"${SECRET}"`;
  const program = `${given}\n${programIn('python')}\nprint(str(is_genuine).lower())`;
  return execFileSync(PYTHON, ['-c', program], { encoding: 'utf8' });
}

describe.each([
  { language: 'TypeScript', check: inNode, isMissing: false },
  { language: 'Python', check: inPython, isMissing: lacks('python3-httpx') },
])('the check in $language', ({ check, isMissing }) => {
  it.skipIf(isMissing)('takes an alarm of the gateway, and nothing else', () => {
    const genuine = received(Date.now());
    expect(check(genuine)).toBe('true\n');
    expect(check({ ...genuine, body: `${genuine.body} ` })).toBe('false\n');
    expect(check(received(Date.now(), 'another secret'))).toBe('false\n');
    expect(check(received(Date.now() - OLD_MS))).toBe('false\n');
  });
});

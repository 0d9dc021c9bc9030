// The settings of alarms: which are refused, in words that show no secret.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ALARM_KINDS, readAlerts } from '../../../src/core/alerts/alert-settings.ts';
import { removeFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

it('are none without an address, and have defaults with it', () => {
  expect(readAlerts({})).toBeNull();
  const url = 'https://a.example/hook?token=abc';
  expect(readAlerts({ CROSSBOOK_ALERT_URL: url })).toEqual({ url, format: 'json', kinds: ALARM_KINDS, secret: null });
});

it('choose form and kinds, and read the secret from its file', () => {
  const alerts = readAlerts({
    CROSSBOOK_ALERT_URL: 'http://127.0.0.1:9000/hook?chat_id=5',
    CROSSBOOK_ALERT_FORMAT: 'telegram',
    CROSSBOOK_ALERT_KINDS: 'stops, fills',
    CROSSBOOK_ALERT_SECRET_FILE: fileOf('secret', 's3cret\n'),
  });
  expect(alerts).toMatchObject({ format: 'telegram', kinds: ['stops', 'fills'], secret: 's3cret' });
});

it.each<[object, string]>([
  [{ CROSSBOOK_ALERT_FORMAT: 'slack' }, 'CROSSBOOK_ALERT_FORMAT: requires CROSSBOOK_ALERT_URL'],
  [{ CROSSBOOK_ALERT_URL: 'hook' }, 'CROSSBOOK_ALERT_URL: must be an https URL'],
  [{ CROSSBOOK_ALERT_URL: 'http://a.example/token' }, 'CROSSBOOK_ALERT_URL: must be an https URL'],
  [{ CROSSBOOK_ALERT_URL: 'https://u:token@a.example' }, 'CROSSBOOK_ALERT_URL: must be an https URL'],
  [{ CROSSBOOK_ALERT_URL: 'https://a.example/#token' }, 'CROSSBOOK_ALERT_URL: must be an https URL'],
  [{ CROSSBOOK_ALERT_URL: 'https://a.example/token', CROSSBOOK_ALERT_FORMAT: 'telegram' }, 'must end with ?chat_id='],
  [{ CROSSBOOK_ALERT_URL: 'https://a.example/', CROSSBOOK_ALERT_FORMAT: 'xml' }, 'CROSSBOOK_ALERT_FORMAT: must be'],
  [{ CROSSBOOK_ALERT_URL: 'https://a.example/', CROSSBOOK_ALERT_KINDS: 'fills,all' }, 'CROSSBOOK_ALERT_KINDS: must be'],
  [
    { CROSSBOOK_ALERT_URL: 'https://a.example/', CROSSBOOK_ALERT_SECRET_FILE: fileOf('empty', '\n') },
    'CROSSBOOK_ALERT_SECRET_FILE: ',
  ],
  [
    { CROSSBOOK_ALERT_URL: 'https://a.example/', CROSSBOOK_ALERT_SECRET_FILE: '/nowhere' },
    'CROSSBOOK_ALERT_SECRET_FILE: /nowhere',
  ],
])('%j are refused: %s', (env, words) => {
  expect(() => readAlerts(env as Record<string, string>)).toThrow(words);
  expect(() => readAlerts(env as Record<string, string>)).not.toThrow(/token/);
});

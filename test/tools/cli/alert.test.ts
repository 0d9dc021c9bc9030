// `crossbook alert test` against a real server.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { alertCommand } from '../../../src/tools/cli/alert.ts';
import { AlertServer } from '../../core/alerts/alert-server.ts';
import { CommandRig } from './command-rig.ts';

let commands: CommandRig;
let server: AlertServer;

beforeEach(async () => {
  commands = new CommandRig();
  server = await AlertServer.start();
  commands.env = { CROSSBOOK_ALERT_URL: server.url, CROSSBOOK_ALERT_FORMAT: 'slack' };
});

afterEach(() => {
  commands.remove();
  server.close();
});

it('sends one alarm in the form of the settings', async () => {
  expect(await commands.run(alertCommand, 'test')).toMatchObject({ code: 0, out: expect.stringMatching(/has taken/) });
  expect(server.bodies).toEqual([{ text: expect.stringMatching(/^crossbook on .*: test\nThis is a test/) }]);
});

it('says what is wrong, and shows no secret of the address', async () => {
  server.answers.push({ status: 404 });
  const { code, err } = await commands.run(alertCommand, 'test');
  expect([code, err]).toEqual([1, expect.stringMatching(/does not take the alarm: it answers 404\n$/)]);
  server.close();
  const lost = await commands.run(alertCommand, 'test');
  expect(lost.code).toBe(1);
  expect(err + lost.err).not.toContain('token-of-mine');
});

it('needs an address, and the word test', async () => {
  commands.env = {};
  expect(await commands.run(alertCommand, 'test')).toMatchObject({ code: 2, err: expect.stringMatching(/is not set/) });
  expect((await commands.run(alertCommand)).err).toBe('crossbook: alert: must be followed by test\n');
});

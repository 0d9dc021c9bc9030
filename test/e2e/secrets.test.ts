// Planted secrets: after a session that uses and misuses them, none is in a log line, an answer or a metric.

import { expect, it } from 'vitest';
import { createLog } from '../../src/runtime/log.ts';
import { startRunningGateway } from '../support/running-gateway.ts';
import { type Answer, send, sendSigned, signedHeaders } from '../support/signed-requests.ts';

it('keeps them out of everything that it says', async () => {
  const lines: string[] = [];
  const log = createLog('main', { level: 'debug', write: text => lines.push(text) });
  const gateway = await startRunningGateway({ source: { kind: 'synthetic', seed: 1 }, log });
  const at = (path: string): string => gateway.httpUrl + path;
  const answers: Answer[] = [];
  const ticketAnswer = await sendSigned(at('/v1/orderbook/ticket'), gateway.key, { method: 'POST' });
  const { ticket } = ticketAnswer.json as { ticket: string };
  const signed = signedHeaders(gateway.key, 'GET', '/v1/time');
  answers.push(await send(at('/v1/time'), { headers: signed }));
  answers.push(await send(at('/v1/whoami'), { headers: signed }));
  answers.push(await send(at('/v1/balances'), { headers: { 'x-api-key': gateway.apiKey } }));
  answers.push(await send(at('/v1/balances'), { headers: { 'x-api-key': `${gateway.apiKey}x` } }));
  answers.push(await send(at(`/v1/orderbook?ticket=${ticket}`)));
  answers.push(await send(at(`/v1/nothing?ticket=${ticket}&key=${gateway.apiKey}`)));
  answers.push(await send(at('/metrics')));
  await gateway.close();
  log.flush();

  const secrets = [gateway.key.seedHex, gateway.apiKey, ticket, signed['SVC-Signature']!];
  const said = [...lines, ...answers.map(({ text }) => text)].join('\n');
  expect(lines.filter(line => line.includes('/v1/time')).length).toBeGreaterThan(0);
  for (const secret of secrets) expect(said).not.toContain(secret);
});

// Serves the actor's positions at venue B as metrics. Prometheus scrapes them, and Grafana shows them beside those of the gateway:
// npx node examples/exporter.ts PORT, then `static_configs: [{targets: ['127.0.0.1:PORT']}]` in the scrape of Prometheus.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createNodeClient, nodeSigner } from '../src/tools/client/node-client.ts';

const url = `http://127.0.0.1:${process.env.CROSSBOOK_PORT ?? 8080}`;
const signer = nodeSigner(JSON.parse(readFileSync(process.env.CROSSBOOK_KEY_FILE ?? 'data/demo/key.json', 'utf8')));
const client = createNodeClient({ url, signer });

const server = createServer(async (_request, answer) => {
  const read = await client.call('getVenueBPositions');
  if (!read.ok) {
    answer.writeHead(503).end(read.error.message);
    return;
  }
  const metrics = [
    ['bot_position_contracts', 'Contracts held.', 'size'],
    ['bot_position_profit_usd', 'What they would win at the mark, without fees.', 'unrealizedPnlUsd'],
  ] as const;
  const text = metrics.flatMap(([name, help, field]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...read.value.value.positions.map(it => `${name}{ticker="${it.ticker}",side="${it.side}"} ${it[field]}`),
  ]);
  answer.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4' }).end(`${text.join('\n')}\n`);
});
server.listen(Number(process.argv[2] ?? 9465), '127.0.0.1', () => console.log('listening', server.address()));

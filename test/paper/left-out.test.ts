// docs/PAPER.md lists the calls of the official clients that the paper exchanges leave out. The test sends each call of a client to its exchange: the
// exchange serves it, or the document lists it. The exchanges serve no call that the document lists.

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject } from '../../src/core/domain/json.ts';
import { NOT_SERVED } from '../../src/paper/http-server.ts';
import { startVenueDServer } from '../../src/paper/side-markets/venue-d.ts';
import { startVenueEServer } from '../../src/paper/side-markets/venue-e.ts';
import { type ControlRig, startControlRig } from './control/control-rig.ts';

let rig: ControlRig;
/** The base URLs, by the name of the venue in the document. */
const urls: Record<string, string> = {};
const closing: (() => void)[] = [];
beforeAll(async () => {
  rig = await startControlRig();
  const side = { timers: rig.timers, faults: rig.plan, seed: 1, host: '127.0.0.1', port: 0 };
  const [venueD, venueE] = [await startVenueDServer(side), await startVenueEServer(side)];
  closing.push(rig.close, venueD.close, venueE.close);
  Object.assign(urls, { A: rig.urlsA.rest, B: rig.urlsB.rest, D: venueD.url, E: venueE.url });
});
afterAll(() => {
  for (const close of closing) close();
});

/** A method and a path, such as `POST /order`. Parameters are `{name}`; `*` stands for any rest. */
type Operation = string;

const KALSHI = 'node_modules/kalshi-typescript/dist/api/';
const POLYMARKET = 'node_modules/@polymarket/clob-client-v2/dist/';

function kalshiOperations(): Operation[] {
  const texts = readdirSync(KALSHI).filter(name => name.endsWith('-api.js'));
  const calls = texts.flatMap(name => [
    ...readFileSync(KALSHI + name, 'utf8').matchAll(/localVarPath = `([^`]+)`[\s\S]*?method: '(\w+)'/g),
  ]);
  return [...new Set(calls.map(([, path, method]) => `${method} ${path}`))];
}

/** The client has constants for its paths. A path that ends with a slash takes an id. */
function polymarketOperations(): Operation[] {
  const constants = readFileSync(`${POLYMARKET}endpoints.js`, 'utf8').matchAll(/const (\w+) = "([^"]+)"/g);
  const paths = new Map(Array.from(constants, ([, name, path]) => [name, path]));
  const operations = new Set<Operation>();
  let endpoint = '';
  const calls = /endpoint = (?:`[^`]*?\$\{)?([A-Z_]+)|this\.(get|post|del)\((?:endpoint|`\$\{this\.host\}\$\{(\w+)\})/g;
  for (const [, named, method, constant] of readFileSync(`${POLYMARKET}client.js`, 'utf8').matchAll(calls)) {
    if (named !== undefined) endpoint = named;
    if (method === undefined) continue;
    const path = paths.get(constant === undefined || constant === 'endpoint' ? endpoint : constant)!;
    operations.add(`${method === 'del' ? 'DELETE' : method.toUpperCase()} ${path.replace(/\/$/, '/{id}')}`);
  }
  return [...operations];
}

/** The rows of the table: the venue and its operations. A path without a method means GET. */
function documented(): { readonly venue: string; readonly operation: Operation }[] {
  const text = readFileSync('docs/PAPER.md', 'utf8');
  const section = text.slice(text.indexOf('\n## What is left out\n'), text.indexOf('\n## Control\n'));
  return [...section.matchAll(/^\| (\w) \| ([^|]+) \|/gm)].flatMap(([, venue, cell]) =>
    [...cell!.matchAll(/`((?:[A-Z]+ )?\/[^`]+)`/g)].map(([, code]) => ({
      venue: venue!,
      operation: code!.startsWith('/') ? `GET ${code}` : code!,
    })),
  );
}

function isDocumented(venue: string, operation: Operation): boolean {
  return documented().some(
    row =>
      row.venue === venue &&
      (row.operation === operation ||
        (row.operation.endsWith('*') && operation.replace(/^\w+ /, 'GET ').startsWith(row.operation.slice(0, -1)))),
  );
}

/** Returns whether the exchange knows the call, for any caller. */
async function isServed(venue: string, operation: Operation): Promise<boolean> {
  const [method = '', path = ''] = operation.split(' ');
  // Venues D and E have rate limits, so time moves on before each call.
  rig.timers.advance(300);
  const answer = await fetch(urls[venue] + path.replaceAll(/\{\w+\}|\*/g, '1'), { method });
  const body: unknown = JSON.parse((await answer.text()) || 'null');
  const detail = isObject(body) ? (isObject(body.error) ? body.error.details : body.details) : undefined;
  return answer.status !== 405 && detail !== NOT_SERVED.details;
}

async function neitherNor(venue: string, operations: readonly Operation[]): Promise<Operation[]> {
  const missing: Operation[] = [];
  for (const operation of operations) {
    if (!isDocumented(venue, operation) && !(await isServed(venue, operation))) missing.push(operation);
  }
  return missing;
}

describe('every call of an official client is served, or left out by the document', () => {
  it('venue B’s client', async () => {
    const operations = kalshiOperations();
    expect(operations.length).toBeGreaterThan(100);
    expect(await neitherNor('B', operations)).toEqual([]);
  });

  it('venue A’s client', async () => {
    const operations = polymarketOperations();
    expect(operations.length).toBeGreaterThan(50);
    expect(await neitherNor('A', operations)).toEqual([]);
  });

  it('an unknown call would be noticed', async () => {
    for (const venue of ['A', 'B', 'D', 'E'])
      expect(await neitherNor(venue, ['GET /nothing'])).toEqual(['GET /nothing']);
  });
});

it('the exchanges do not serve what the document leaves out', async () => {
  const rows = documented();
  expect(rows.length).toBeGreaterThan(10);
  const served = [];
  for (const { venue, operation } of rows) if (await isServed(venue, operation)) served.push(`${venue}: ${operation}`);
  expect(served).toEqual([]);
});

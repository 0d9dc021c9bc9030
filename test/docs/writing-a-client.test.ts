// docs/WRITING-A-CLIENT.md, which gateways serve as /llms.txt, tells the truth. Its numbers are our limits, its lists are complete, its
// examples are right, its form is that of llms.txt.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { API_ERRORS, ERROR_CODES } from '../../src/core/domain/answer.ts';
import type { Level } from '../../src/core/domain/market.ts';
import { BUCKETS } from '../../src/gateway/api/rate-limits.ts';
import { limits } from '../../src/limits.ts';
import { checksumLevels } from '../../src/market-data/book/checksum.ts';
import { type SigningVector, VECTORS_FILE } from '../support/make-signing-vectors.ts';

const PAGE = readFileSync('docs/WRITING-A-CLIENT.md', 'utf8');
const UNITS: Readonly<Record<string, number>> = { KiB: 1_024, s: 1_000 };

/** Numbers with the limit that they are, in the limit's unit. */
function numbersIn(text: string): [limit: string, value: number][] {
  return [...text.matchAll(/(\d[\d ]*) ?(KiB|ms|s|bytes|markets)? \(`(\w+)`\)/g)].map(
    ([, digits, unit = '', limit]) => {
      const isScaled = unit === 'KiB' || (unit === 's' && limit!.endsWith('Ms'));
      return [limit!, Number(digits!.replaceAll(' ', '')) * (isScaled ? UNITS[unit]! : 1)];
    },
  );
}

it('begins as llms.txt does: a title, then what it is about', () => {
  expect(PAGE).toMatch(/^# crossbook\n\n> \S/);
});

it('has our limits', () => {
  const stated = numbersIn(PAGE);
  expect(stated.length).toBeGreaterThanOrEqual(6);
  const known: Readonly<Record<string, unknown>> = limits;
  expect(stated).toEqual(stated.map(([limit]) => [limit, known[limit]]));
  expect(numbersIn('up to 2 KiB (`headerBytesMax`) and 10 s (`shutdownMs`)')).toEqual([
    ['headerBytesMax', 2_048],
    ['shutdownMs', 10_000],
  ]);
});

describe('names', () => {
  const [, outcomes = ''] = /^## Outcomes\n([\s\S]*?)^## /m.exec(PAGE)!;
  const [, stream = ''] = /^## Stream\n([\s\S]*?)^## /m.exec(PAGE)!;
  const contract = parse(readFileSync('proto/asyncapi.yaml', 'utf8')) as {
    readonly operations: Readonly<
      Record<
        string,
        { readonly action: string; readonly messages: readonly { $ref: string }[]; readonly reply?: object }
      >
    >;
    readonly channels: { readonly orderbook: { readonly messages: object } };
  };

  it('every status and code of a refusal', () => {
    const statuses = [...outcomes.matchAll(/^\| ([\d, ]+)/gm)].flatMap(([, list]) => list!.match(/\d+/g) ?? []);
    const ours = Object.values(API_ERRORS).map(({ status }) => String(status));
    expect(ours.filter(status => !statuses.includes(status))).toEqual([]);
    expect(ERROR_CODES.filter(code => !outcomes.includes(`\`${code}\``))).toEqual([]);
  });

  it('every bucket', () => {
    expect(BUCKETS.filter(bucket => !PAGE.includes(`\`${bucket}\``))).toEqual([]);
  });

  it('every message of the stream', () => {
    const received = Object.entries(contract.operations).filter(([, { action }]) => action === 'receive');
    const ours = new Set(received.flatMap(([, { messages }]) => messages.map(it => it.$ref.split('/').at(-1)!)));
    const sent = Object.keys(contract.channels.orderbook.messages).filter(name => !ours.has(name));
    const rows = [...stream.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell]) =>
      cell!.replaceAll('`', '').split(', '),
    );
    expect(rows.toSorted()).toEqual(sent.toSorted());
  });
});

describe('its examples', () => {
  it('of a signature is the first published vector', () => {
    const [first] = JSON.parse(readFileSync(VECTORS_FILE, 'utf8')) as readonly SigningVector[];
    expect(`${first!.method} ${first!.target} at ${first!.timestamp}`).toBe('GET /v1/whoami at 1795237201');
    for (const part of [first!.seedHex, first!.timestamp, first!.signatureBase64]) expect(PAGE).toContain(part);
  });

  it('of a checksum is right', () => {
    const [, text = '', checksum] = /^ {4}(0\.\S+) +→ +(\d+)$/m.exec(PAGE)!;
    const levels = text.split('|').map(level => {
      const [price, size] = level.split(':').map(Number);
      return { price: Math.round(price! * 1e4), size: Math.round(size! * 1e6) } as Level;
    });
    expect(checksumLevels(levels.slice(0, 2), levels.slice(2))).toBe(Number(checksum));
  });

  it('of messages are JSON with the fields of the contract', () => {
    const messages = [...PAGE.matchAll(/\{"op".*?\}\]?\}(?=`|$)|\{"op":[^`]*?\}(?=`)/gm)].map(([json]) =>
      JSON.parse(json.replaceAll(':…', ':null')),
    );
    expect(messages.map(({ op, channel }) => [op, channel])).toEqual([
      ['subscribe', 'book'],
      ['snapshot', undefined],
      ['subscribe', 'orders'],
      ['submit', undefined],
    ]);
  });
});

// One record of the catalog's store ↔ bytes: `<version> <CRC-32> <JSON>`. What has the sum was written by this program, and is not
// looked at field by field. Pure.

import { crc32 } from 'node:zlib';
import { parseJson } from '../domain/json.ts';
import { fail, ok, type Result } from '../domain/result.ts';

/** Raise it with every change of what is in a record. Since 2 the first opponents of events are among their ids. */
const VERSION = '2';
const READ: readonly string[] = ['1', VERSION];
const RECORD = /^(\d+) (\d+) (.*)$/s;

export function encodeRecord(value: unknown): Uint8Array {
  const json = JSON.stringify(value);
  return Buffer.from(`${VERSION} ${crc32(json)} ${json}`);
}

/** The error says what is wrong with the record; which one it is, its reader knows. */
export function decodeRecord(bytes: Uint8Array): Result<unknown, string> {
  const [, version, sum, json = ''] = RECORD.exec(Buffer.from(bytes).toString()) ?? [];
  if (version === undefined) return fail('is damaged');
  if (!READ.includes(version)) return fail(`has version ${version}, this program reads versions ${READ.join(' and ')}`);
  const value = String(crc32(json)) === sum ? parseJson(json) : undefined;
  // Of nothing at all the sum is 0.
  return value === undefined ? fail('is damaged') : ok(value);
}

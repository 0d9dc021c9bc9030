// One record of the catalog's store ↔ bytes: `<version> <CRC-32> <JSON>`. A record with the right checksum was written by this program; its
// fields are not checked. Pure.

import { crc32 } from 'node:zlib';
import { parseJson } from '../domain/json.ts';
import { fail, ok, type Result } from '../domain/result.ts';

/** Raise it with every change of the content of records. Since version 2, ids include the first opponents of events. */
const VERSION = '2';
const READ: readonly string[] = ['1', VERSION];
const RECORD = /^(\d+) (\d+) (.*)$/s;

export function encodeRecord(value: unknown): Uint8Array {
  const json = JSON.stringify(value);
  return Buffer.from(`${VERSION} ${crc32(json)} ${json}`);
}

/** The error says what is wrong with the record; the caller knows which record it is. */
export function decodeRecord(bytes: Uint8Array): Result<unknown, string> {
  const [, version, sum, json = ''] = RECORD.exec(Buffer.from(bytes).toString()) ?? [];
  if (version === undefined) return fail('is damaged');
  if (!READ.includes(version)) return fail(`has version ${version}, this program reads versions ${READ.join(' and ')}`);
  const value = String(crc32(json)) === sum ? parseJson(json) : undefined;
  // The checksum of empty text is 0.
  return value === undefined ? fail('is damaged') : ok(value);
}

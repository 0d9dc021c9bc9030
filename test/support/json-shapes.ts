// Which fields JSON objects have, and of which types. Tests compare the output of a simulated venue with the recorded output of the real
// venue.

import { readFileSync } from 'node:fs';
import { isObject, type JsonObject } from '../../src/core/domain/json.ts';
import { recordingPath, recordingsPresent } from './recordings.ts';

/**
 * Returns the objects in some recordings, at any depth, that have the field that identifies their kind. Returns none without the
 * recordings.
 */
export function recordedObjects(files: readonly string[], sign: string): JsonObject[] {
  if (!recordingsPresent) return [];
  return files.flatMap(file => objectsWith(JSON.parse(readFileSync(recordingPath(file), 'utf8')), sign));
}

export function objectsWith(value: unknown, sign: string): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(item => objectsWith(item, sign));
  if (!isObject(value)) return [];
  const inside = Object.values(value).flatMap(inner => objectsWith(inner, sign));
  return sign in value ? [value, ...inside] : inside;
}

/** Returns `field: type` for every field that `ours` have and `theirs` never had. */
export function strangers(ours: readonly JsonObject[], theirs: readonly JsonObject[]): string[] {
  const known = typesOf(theirs);
  return [...typesOf(ours)].filter(type => !known.has(type));
}

function typesOf(objects: readonly JsonObject[]): Set<string> {
  const types = new Set<string>();
  for (const object of objects) {
    for (const [key, value] of Object.entries(object)) {
      types.add(`${key}: ${value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value}`);
    }
  }
  return types;
}

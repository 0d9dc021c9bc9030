// Forms that the contract documents must not have, so that generators of others read them rightly. `npm run generators` runs some
// generators; these forms have made them fail.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { limits } from '../../src/limits.ts';
import { asyncapi, type Json, objectsIn, openapi } from '../support/contract-schema.ts';

describe('4037: a generator reads what is written', () => {
  const schemas = openapi.components!.schemas!;
  const schemaAt = (name: string) => schemas[name] as unknown as Readonly<Record<string, Json>>;

  it.each(['openapi', 'asyncapi'])('proto/%s.yaml has no merge key, which YAML 1.2 takes for a member', name => {
    const document = parse(readFileSync(new URL(`../../proto/${name}.yaml`, import.meta.url), 'utf8')) as Json;
    expect(pointersIn(document).filter(it => it.endsWith('/<<'))).toEqual([]);
  });

  it.each([
    ['openapi', openapi],
    ['asyncapi', asyncapi],
  ])('what may be left out of a body of %s has no default: a generator would ask for it', (_name, document) => {
    // No generator asks for the default of a query parameter.
    const ofBodies = pointersIn(document.components!.schemas!).filter(it => !it.startsWith('#/PageSize/'));
    expect(ofBodies.filter(it => it.endsWith('/default'))).toEqual([]);
  });

  it('no choice is between lists of required members: a generator would make `unknown` of it', () => {
    const isBare = ({ value }: { value: Json }) =>
      typeof value === 'object' && Object.keys(value ?? {}).join() === 'required';
    const choices = objectsIn(schemas).filter(({ pointer }) => /\/(anyOf|oneOf)\/\d+$/.test(pointer));
    expect(choices.length).toBeGreaterThan(0);
    // Generators do not read what must not be.
    expect(choices.filter(it => isBare(it) && !it.pointer.includes('/not/')).map(({ pointer }) => pointer)).toEqual([]);
  });

  it.each([
    ['VenueALimitOrder', 'VenueABatchLimitOrder'],
    ['VenueAMarketOrder', 'VenueABatchMarketOrder'],
    ['VenueBOrderRequest', 'VenueBBatchOrder'],
  ])('%s with its key is %s', (order, ofBatch) => {
    const { description: _, required = [], ...alone } = schemaAt(order);
    const { description: __, required: requiredInBatch = [], ...inBatch } = schemaAt(ofBatch);
    const key = { idempotencyKey: inBatch.properties!.idempotencyKey };
    expect(key.idempotencyKey).toMatchObject({
      type: 'string',
      minLength: 1,
      maxLength: limits.idempotencyKeyBytesMax,
    });
    expect(inBatch).toEqual({ ...alone, properties: { ...(alone.properties as object), ...key } });
    expect(requiredInBatch).toEqual(['idempotencyKey', ...(required as Json[])]);
  });
});

/** The pointers of all members. */
function pointersIn(value: Json, pointer = '#'): string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  const members = Object.entries(value).flatMap(([name, child]) => pointersIn(child as Json, `${pointer}/${name}`));
  return [pointer, ...members];
}

// References in both contract documents: each leads somewhere, stands alone, and no component is unused.

import { expect, it } from 'vitest';
import { at, type Json, objectsIn } from '../support/contract-schema.ts';

/** Declares the tests for one document. */
export function describeReferences(document: Json): void {
  const references = objectsIn(document).filter(({ value }) => typeof value.$ref === 'string');
  const targets = references.map(({ value }) => String(value.$ref));

  it('refers only to what it has itself', () => {
    expect(targets.filter(target => !target.startsWith('#/') || at(document, target) === undefined)).toEqual([]);
  });

  it('puts nothing beside a reference: draft 07 would not see it', () => {
    expect(references.filter(({ value }) => Object.keys(value).length > 1).map(({ pointer }) => pointer)).toEqual([]);
  });

  it('uses every component', () => {
    const components = Object.entries(at(document, '#/components')!)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, members]) => Object.keys(members).map(name => `#/components/${kind}/${name}`));
    const mapped = objectsIn(document).flatMap(({ value }) => Object.values(value.mapping ?? {}).map(String));
    expect(components.filter(component => ![...targets, ...mapped].includes(component))).toEqual([]);
  });
}

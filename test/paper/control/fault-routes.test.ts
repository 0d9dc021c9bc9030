// Rules of faults as JSON: every kind of rule, every mistake with the field and the rule that it breaks, and arbitrary other input.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { readFaultRule } from '../../../src/paper/control/control-routes.ts';
import { FaultPlan } from '../../../src/paper/faults/fault-plan.ts';
import { VirtualTimers } from '../../support/virtual-timers.ts';

const drop = { kind: 'drop' };

describe('a rule', () => {
  const kinds: [fault: object, read: object][] = [
    [{ kind: 'lost', isApplied: false }, {}],
    [{ kind: 'lost', isApplied: true }, {}],
    [{ kind: 'hung', isApplied: true, hangMs: 5_000 }, {}],
    [{ kind: 'status', status: 503, isApplied: true }, {}],
    [{ kind: 'rate-limited' }, {}],
    [
      { kind: 'rows', set: { size: '' } },
      { where: {}, isMore: false },
    ],
    [{ kind: 'rows', where: { id: 't' }, set: { size: null, makers: [{}] }, isMore: true }, {}],
    [{ kind: 'delay', beforeMs: 100, afterMs: 200 }, {}],
    [{ kind: 'delay', afterMs: 200 }, { beforeMs: 0 }],
    [{ kind: 'drop' }, {}],
    [{ kind: 'duplicate' }, {}],
    [{ kind: 'swap' }, {}],
    [{ kind: 'disconnect' }, {}],
    [{ kind: 'settlement-fails' }, {}],
    [{ kind: 'settlement-retries' }, {}],
    [{ kind: 'transaction-fails' }, { usesNonce: false }],
  ];
  it.each(kinds)('may be %j', (fault, read) => {
    expect(readFaultRule({ fault })).toEqual({
      ok: true,
      value: {
        venue: null,
        key: null,
        operation: null,
        fault: { ...fault, ...read },
        probability: 1,
        countMax: null,
        lastsMs: null,
      },
    });
  });

  it('may say everything', () => {
    const rule = {
      venue: 'venue_b',
      key: '',
      operation: 'POST /portfolio/*',
      fault: { kind: 'rate-limited' },
      probability: 0.25,
      countMax: 3,
      lastsMs: 60_000,
    };
    expect(readFaultRule(rule)).toEqual({ ok: true, value: rule });
  });

  const kindNames = kinds.map(([fault]) => (fault as { kind: string }).kind);
  const oneOfKinds = `must be one of ${[...new Set(kindNames)].join(', ')}`;
  const wholeTo = (min: number, max: number) => `must be a whole number from ${min} to ${max}`;
  const bad: [rule: unknown, error: string][] = [
    [undefined, 'body: must be a JSON object'],
    [null, 'body: must be a JSON object'],
    [[], 'body: must be a JSON object'],
    ['drop', 'body: must be a JSON object'],
    [{}, 'fault: must be a JSON object'],
    [{ fault: 'drop' }, 'fault: must be a JSON object'],
    [{ fault: {} }, `fault.kind: ${oneOfKinds}`],
    [{ fault: { kind: 'explode' } }, `fault.kind: ${oneOfKinds}`],
    [{ fault: { kind: 'toString' } }, `fault.kind: ${oneOfKinds}`],
    [{ fault: { kind: 'lost' } }, 'fault.isApplied: must be true or false'],
    [{ fault: { kind: 'lost', isApplied: 'yes' } }, 'fault.isApplied: must be true or false'],
    [{ fault: { kind: 'hung', isApplied: true } }, `fault.hangMs: ${wholeTo(1, limits.paperFaultMs)}`],
    [{ fault: { kind: 'hung', isApplied: true, hangMs: 0 } }, `fault.hangMs: ${wholeTo(1, limits.paperFaultMs)}`],
    [{ fault: { kind: 'delay', beforeMs: -1 } }, `fault.beforeMs: ${wholeTo(0, limits.paperFaultMs)}`],
    [{ fault: { kind: 'delay', afterMs: 1e12 } }, `fault.afterMs: ${wholeTo(0, limits.paperFaultMs)}`],
    [{ fault: { kind: 'status', status: 200, isApplied: true } }, `fault.status: ${wholeTo(400, 599)}`],
    [{ fault: { kind: 'status', status: 500.5, isApplied: true } }, `fault.status: ${wholeTo(400, 599)}`],
    [{ fault: { kind: 'drop', isApplied: true } }, 'fault.isApplied: is not known here'],
    [{ fault: drop, chance: 1 }, 'chance: is not known here'],
    [{ fault: drop, 'chance\n': 1 }, 'chance?: is not known here'],
    [{ fault: drop, venue: 'venue_c' }, 'venue: must be one of venue_a, venue_b, venue_d, venue_e'],
    [{ fault: drop, key: 7 }, 'key: must be text of 0 to 128 printable ASCII characters'],
    [{ fault: drop, key: 'k'.repeat(129) }, 'key: must be text of 0 to 128 printable ASCII characters'],
    [{ fault: drop, operation: '' }, 'operation: must be text of 1 to 128 printable ASCII characters'],
    [{ fault: drop, operation: 'é' }, 'operation: must be text of 1 to 128 printable ASCII characters'],
    [{ fault: drop, probability: 1.1 }, 'probability: must be a number from 0 to 1'],
    [{ fault: drop, probability: '1' }, 'probability: must be a number from 0 to 1'],
    [{ fault: drop, countMax: 0 }, `countMax: ${wholeTo(1, Number.MAX_SAFE_INTEGER)}`],
    [{ fault: drop, lastsMs: 0 }, `lastsMs: ${wholeTo(1, limits.paperFaultMs)}`],
    [{ fault: { kind: 'settlement-fails' }, key: 'k' }, 'key: must be absent of a fault of settlement'],
    [{ fault: { kind: 'settlement-retries' }, operation: '*' }, 'operation: must be absent of a fault of settlement'],
    [JSON.parse('{"fault":{"kind":"drop"},"__proto__":{"probability":0}}'), '__proto__: is not known here'],
  ];
  it.each(bad)('may not be %j', (rule, error) => {
    expect(readFaultRule(rule)).toEqual({ ok: false, error });
  });
});

describe('anything', () => {
  const word = fc.constantFrom(
    ...[
      'venue',
      'key',
      'operation',
      'fault',
      'kind',
      'probability',
      'countMax',
      'lastsMs',
      'isApplied',
      'hangMs',
      'status',
    ],
    ...['venue_a', 'lost', 'hung', 'delay', 'drop', 'swap', 'settlement-fails', '__proto__', 'constructor'],
  );
  const value = fc.letrec(tie => ({
    json: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(word, fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(word, tie('json'), { maxKeys: 6 }),
    ),
  })).json;

  it('is a rule that a plan can hold, or names a field and a rule', () => {
    fc.assert(
      fc.property(value, json => {
        const rule = readFaultRule(json);
        if (!rule.ok) expect(rule.error).toMatch(/^[\x21-\x7e]{1,200}: (must|is) [^\n]+$/);
        else expect(new FaultPlan({ seed: 1, timers: new VirtualTimers() }).add(rule.value).ok).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('is read as itself once it has been read', () => {
    const fault = fc.oneof(
      fc.record({ kind: fc.constant('lost'), isApplied: fc.boolean() }),
      fc.record({ kind: fc.constant('status'), status: fc.integer({ min: 400, max: 599 }), isApplied: fc.boolean() }),
      fc.record({ kind: fc.constantFrom('rate-limited', 'drop', 'duplicate', 'swap', 'disconnect') }),
    );
    const rule = fc.record(
      {
        fault,
        venue: fc.constantFrom('venue_a', 'venue_b', null),
        key: fc.option(fc.string({ maxLength: 128 }).filter(it => /^[\x20-\x7e]*$/.test(it))),
        probability: fc.double({ min: 0, max: 1, noNaN: true }),
        countMax: fc.option(fc.integer({ min: 1 })),
      },
      { requiredKeys: ['fault'] },
    );
    fc.assert(
      fc.property(rule, json => {
        const once = readFaultRule(json);
        if (!once.ok) throw new Error(once.error);
        expect(once.value).toMatchObject(json);
        expect(readFaultRule(once.value)).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });
});

// Makes clients/python/crossbook/models.py and operations.py: a TypedDict for every object of the contract, and a method for every
// operation. Because they are generated, the Python client cannot drift from the contract.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Document, type Entry, entriesOf, type Schema, typeName } from './make-api-types.ts';
import { LINE_CHARACTERS_MAX, PythonTypes } from './python-types.ts';

const ROOT = join(import.meta.dirname, '../..');
export const MODELS_PATH = 'clients/python/crossbook/models.py';
export const OPERATIONS_PATH = 'clients/python/crossbook/operations.py';

/** The messages of the stream, from proto/asyncapi.yaml. */
const STREAM_MESSAGES = [
  ...[
    'Snapshot',
    'Delta',
    'Quote',
    'Trade',
    'State',
    'Heartbeat',
    'SnapshotsDone',
    'Subscribed',
    'Unsubscribed',
    'Error',
  ],
  ...['Pong', 'OrderEvent', 'OrdersSnapshot', 'OutcomeMessage', 'ProtectionEvent', 'LossLimitEvent', 'QueueEvent'],
];

const MODELS_HEADER = `"""Generated from proto/openapi.yaml and proto/asyncapi.yaml by test/support/make-python-client.ts. Not to be edited.

Requests, answers and messages of the stream as they are on the wire. Prices, sizes and money are decimal text; JSON
numbers with a point are read as \`Decimal\`.
"""

from decimal import Decimal
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

#: Decimal text, or an exact number that becomes it.
DecimalInput: TypeAlias = str | Decimal
Number: TypeAlias = int | Decimal
`;

const OPERATIONS_HEADER = `"""Generated from proto/openapi.yaml by test/support/make-python-client.ts. Not to be edited.

Every operation of the contract but the upgrades to WebSockets: a method of both clients.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Literal, TypeVar

from . import models
from .calls import Call, act, cancel, change, read, segment, submit
from .outcomes import Cancellation, Change, Submission

T = TypeVar("T")
`;

/** Returns the text of models.py. */
export function makePythonModels(): string {
  const [openapi, asyncapi] = [documentAt('openapi'), documentAt('asyncapi')];
  const types = new PythonTypes({ ...asyncapi.components.schemas, ...openapi.components.schemas });
  for (const { operation } of entriesOf(openapi)) {
    if (operation.requestBody !== undefined) types.add(typeName(operation.requestBody));
    for (const [status, answer] of Object.entries(operation.responses)) if (status < '3') types.add(typeName(answer));
  }
  for (const name of ['ErrorCode', ...STREAM_MESSAGES]) types.add(name);
  return `${MODELS_HEADER}\n${types.text}`;
}

/** Returns the text of operations.py. */
export function makePythonOperations(): string {
  const document = documentAt('openapi');
  const entries = entriesOf(document);
  const types = new PythonTypes(document.components.schemas);
  return `${OPERATIONS_HEADER}${classOf('Operations', entries, types, '')}${classOf('AsyncOperations', entries, types, 'async ')}`;
}

function classOf(name: string, entries: readonly Entry[], types: PythonTypes, isAsync: '' | 'async '): string {
  const methods = entries.map(entry => methodOf(entry, types, isAsync));
  const run = `    @abstractmethod\n    ${isAsync}def _run(self, call: Call[T]) -> T: ...\n`;
  return `\n\nclass ${name}(ABC):\n${[run, ...methods].join('\n')}`;
}

function methodOf(entry: Entry, types: PythonTypes, isAsync: '' | 'async '): string {
  const { operation, path, parameters } = entry;
  const { call, result, more } = callOf(entry, types);
  const inPath = parameters.filter(it => it.in === 'path').map(it => `${snake(it.name)}: str`);
  const inQuery = parameters.filter(it => it.in === 'query');
  const filters = inQuery.map(it => {
    const type = types.typeOf(it.schema, 'models.');
    return it.required === true ? `${snake(it.name)}: ${type}` : `${snake(it.name)}: ${type} | None = None`;
  });
  const body = operation.requestBody === undefined ? [] : [`body: models.${typeName(operation.requestBody)}`];
  const named = [...filters, ...more];
  const all = ['self', ...inPath, ...body, ...(named.length === 0 ? [] : ['*', ...named])];
  const target = /\{/.test(path)
    ? `f"${path.replace(/\{(\w+)\}/g, (_, name) => `{segment('${snake(name)}', ${snake(name)})}`)}"`
    : `"${path}"`;
  const start = `    ${isAsync}def ${snake(operation.operationId)}`;
  return [
    fitted(`${start}(${all.join(', ')}) -> ${result}:`, [
      `${start}(`,
      ...all.map(it => `        ${it},`),
      `    ) -> ${result}:`,
    ]),
    `        """${operation.summary}"""`,
    ...ran(call(target, queryOf(inQuery.map(it => it.name))), isAsync === '' ? '' : 'await '),
    '',
  ].join('\n');
}

function ran([name = '', ...parameters]: readonly string[], wait: '' | 'await '): string[] {
  const before = `        return ${wait}self._run(`;
  const call = `${name}(${parameters.join(', ')})`;
  if (before.length + call.length < LINE_CHARACTERS_MAX) return [`${before}${call})`];
  const broken = parameters.flatMap(it => (it.startsWith('{"') ? brokenQuery(it) : `                ${it},`));
  const lines = [`            ${name}(`, ...broken, '            )'];
  return [before, fitted(`            ${call}`, lines), '        )'];
}

function brokenQuery(query: string): string[] {
  const pairs = query.slice(1, -1).split(', ');
  return ['                {', ...pairs.map(it => `                    ${it},`), '                },'];
}

function fitted(inOneLine: string, broken: readonly string[]): string {
  return inOneLine.length <= LINE_CHARACTERS_MAX ? inOneLine : broken.join('\n');
}

interface PythonCall {
  /** Returns the function to call and its arguments. */
  call(target: string, query: string): readonly string[];
  readonly result: string;
  /** The parameters beside the path, query and body of the contract. */
  readonly more: readonly string[];
}

/**
 * Chooses the call of an operation. The operation is a read, a submission or a wallet's action under an idempotency key, the cancel of one
 * order, or any other change.
 */
function callOf({ operation, method, parameters }: Entry, types: PythonTypes): PythonCall {
  const [, success] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))!;
  const model = `models.${typeName(success)}`;
  if (method === 'GET') {
    const auth = authOf(operation.security);
    return { call: (target, query) => ['read', model, target, query, `"${auth}"`], result: model, more: [] };
  }
  if (model.endsWith('WalletAction')) {
    return {
      call: target => ['act', model, target, 'body', 'idempotency_key'],
      result: `Change[${model}]`,
      more: ['idempotency_key: str | None = None'],
    };
  }
  if (parameters.some(({ name }) => name === 'Idempotency-Key')) {
    return {
      call: target => ['submit', target, 'body', 'idempotency_key', 'not_after_millis'],
      result: 'Submission',
      more: ['idempotency_key: str | None = None', 'not_after_millis: int | None = None'],
    };
  }
  if (model.endsWith('CancelledOrder')) {
    const filled = types.fieldsOf(typeName(success)).find(name => name.startsWith('filled'));
    return { call: target => ['cancel', target, `"${filled}"`], result: 'Cancellation', more: [] };
  }
  const body = operation.requestBody === undefined ? [] : ['body'];
  const hasDeadline = parameters.some(({ name }) => name === 'SVC-Not-After-Millis');
  const deadline = hasDeadline ? ['not_after_millis'] : [];
  return {
    call: (target, query) => ['change', model, `"${method}"`, target, query, ...body, ...deadline],
    result: `Change[${model}]`,
    more: deadline.map(name => `${name}: int | None = None`),
  };
}

function authOf(security: readonly Schema[] | undefined): string {
  if (security === undefined) return 'signed';
  return security.length === 0 ? 'open' : 'apiKey' in security[0]! ? 'apiKey' : 'signed';
}

function queryOf(names: readonly string[]): string {
  return `{${names.map(name => `"${name}": ${snake(name)}`).join(', ')}}`;
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

function documentAt(name: 'openapi' | 'asyncapi'): Document {
  return parse(readFileSync(join(ROOT, `proto/${name}.yaml`), 'utf8')) as Document;
}

// Valid JSON documents, damaged in their structure: values of other types and sizes, keys missing, renamed and doubled, endless nesting,
// numbers beyond a double. The result may be JSON or not; damaged-bytes.ts does the rest.

import fc from 'fast-check';

/** A document that can hold things that JSON.stringify cannot write: raw text, and duplicate keys. */
type Node =
  | { readonly type: 'raw'; readonly text: string }
  | { readonly type: 'list'; readonly items: readonly Node[] }
  | { readonly type: 'object'; readonly members: readonly (readonly [key: string, node: Node])[] };

type Change = (node: Node) => Node;

const RAW = [
  ...['null', 'true', 'false', '{}', '[]', '""', '0', '-0', '1', '-1', '1.5', '2.0', '1e2', '1E400', '-1e-400'],
  ...[
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
    '18446744073709551616',
    '01',
    '+1',
    '.5',
    '5.',
    '0x1',
  ],
  ...['"0"', '"-1"', '"0.5"', '"1e3"', '"00.5"', '"0.50000000000000000001"', '" 1"', '"NaN"', '"9007199254.740993"'],
  ...[
    '"\\u0000"',
    '"\\ud800"',
    '"\\ud83d\\ude00"',
    '"\u202e"',
    '"constructor"',
    '"__proto__"',
    'NaN',
    'undefined',
    "'a'",
  ],
  ...[
    `"${'x'.repeat(129)}"`,
    `"${'9'.repeat(80)}"`,
    `${'9'.repeat(400)}`,
    `"${'é'.repeat(70)}"`,
    '[[[[[[[[[[1]]]]]]]]]]',
  ],
];
const KEYS = ['', '__proto__', 'constructor', 'toString', 'length', 'type', 'id', '0', 'é'];
const DEEP = [10, 33, 5_000];

const raw = (text: string): Node => ({ type: 'raw', text });
const deep = fc
  .tuple(fc.constantFrom(...DEEP), fc.constantFrom<[string, string]>(['[', ']'], ['{"a":', '}']))
  .map(([depth, [open, close]]) => raw(`${open.repeat(depth)}1${close.repeat(depth)}`));
const value = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...RAW).map(raw) },
  { weight: 3, arbitrary: fc.json({ maxDepth: 2 }).map(raw) },
  { weight: 3, arbitrary: fc.maxSafeInteger().map(number => raw(String(number))) },
  { weight: 3, arbitrary: fc.tuple(fc.nat(2_000_000), fc.nat(7)).map(([n, d]) => raw(`"${(n / 100).toFixed(d)}"`)) },
  { weight: 1, arbitrary: deep },
);

/** A change of a node: another value, or a member of an object that is removed, doubled, renamed or new. */
const edit: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: value.map(
      (instead): Change =>
        () =>
          instead,
    ),
  },
  fc.nat(30).map(
    (at): Change =>
      node =>
        ofMembers(node, members => members.toSpliced(at % members.length, 1)),
  ),
  fc.tuple(fc.nat(30), value).map(([at, other]): Change => {
    return node => ofMembers(node, members => [...members, [members[at % members.length]![0], other]]);
  }),
  fc.tuple(fc.nat(30), fc.nat(30)).map(([at, to]): Change => {
    return node => ofMembers(node, members => members.toSpliced(to, 0, members[at % members.length]!));
  }),
  fc.tuple(fc.nat(30), fc.constantFrom(...KEYS)).map(([at, key]): Change => {
    return node =>
      ofMembers(node, members => members.with(at % members.length, [key, members[at % members.length]![1]]));
  }),
  fc.tuple(fc.constantFrom(...KEYS), value).map(([key, added]): Change => {
    return node => ofMembers(node, members => [...members, [key, added]]);
  }),
);
/** The places in a change are taken modulo the number of members. */
const change = fc.tuple(fc.array(fc.nat(30), { maxLength: 4 }), edit).map(
  ([path, apply]): Change =>
    node =>
      changedAt(node, path, apply),
);

type Members = Extract<Node, { type: 'object' }>['members'];

/** Applies a change to the members of an object, or to the items of a list as members without names. */
function ofMembers(node: Node, apply: (members: Members) => Members): Node {
  if (node.type === 'object' && node.members.length > 0) return { ...node, members: apply(node.members) };
  if (node.type !== 'list' || node.items.length === 0) return node;
  return { ...node, items: apply(node.items.map(item => ['', item] as const)).map(([, item]) => item) };
}

function changedAt(node: Node, [first, ...rest]: readonly number[], apply: Change): Node {
  if (first === undefined || node.type === 'raw') return apply(node);
  return ofMembers(node, members => {
    const at = first % members.length;
    const [key, inner] = members[at]!;
    return members.with(at, [key, changedAt(inner, rest, apply)]);
  });
}

function nodeOf(document: unknown): Node {
  if (Array.isArray(document)) return { type: 'list', items: document.map(nodeOf) };
  if (typeof document !== 'object' || document === null) return raw(JSON.stringify(document));
  return { type: 'object', members: Object.entries(document).map(([key, inner]) => [key, nodeOf(inner)] as const) };
}

function textOf(node: Node, space: string): string {
  switch (node.type) {
    case 'raw':
      return node.text;
    case 'list':
      return `[${node.items.map(item => textOf(item, space)).join(`,${space}`)}]`;
    default:
      return `{${node.members.map(([key, inner]) => `${JSON.stringify(key)}:${space}${textOf(inner, space)}`).join(`,${space}`)}}`;
  }
}

/** Documents with up to `changesMax` changes, some without a change. */
export function damagedJson(documents: readonly unknown[], changesMax = 3): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...documents.map(nodeOf)),
      fc.array(change, { maxLength: changesMax, size: 'max' }),
      fc.constantFrom('', ' ', '\n\t'),
    )
    .map(([node, changes, space]) =>
      textOf(
        changes.reduce((whole, apply) => apply(whole), node),
        space,
      ),
    );
}

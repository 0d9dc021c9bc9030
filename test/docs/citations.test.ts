// Each citation leads to a heading, and each relative link of a document to a file and its heading. A bare section belongs to the
// document that was named last; in a cited document it is the document's own.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOCUMENTS } from '../support/documents.ts';
import { readTextFiles } from '../support/source-file.ts';

/** By their names in citations, in lower case. */
const CITED: Readonly<Record<string, string>> = {
  interface: 'docs/spec/interface.md',
  contract: 'docs/spec/contract.md',
  beyond: 'docs/spec/beyond.md',
  'venue-a.md': 'docs/spec/venue-a.md',
  'venue-b.md': 'docs/spec/venue-b.md',
  'venues-c-d-e.md': 'docs/spec/venues-c-d-e.md',
  'architecture.md': 'docs/ARCHITECTURE.md',
};
/** Documents of others. */
const FOREIGN = ['RFC \\d+', 'FIPS \\d+', 'SEC \\d+'];
const SIGN = '\u00a7';
const NAMES = [...Object.keys(CITED).map(name => name.replaceAll('.', '\\.')), ...FOREIGN].join('|');
const SECTION = `${SIGN}{1,2}(\\d+(?:\\.\\d+)*)`;
/** The name of a document before a section, or a section, or a range of them. The section may stand on the next line of a comment. */
const PART = new RegExp(`\\b(${NAMES})(?=[\`)]?[\\s/*#]+${SIGN})|${SECTION}(?:–${SIGN}?(\\d+(?:\\.\\d+)*))?`, 'gi');
const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;

const SECTIONS = new Map(Object.entries(CITED).map(([name, path]) => [name, sectionsOf(readFileSync(path, 'utf8'))]));
const DECISIONS = new Set(readdirSync('docs/adr').map(name => name.slice(0, 4)));

function sectionsOf(text: string): Set<string> {
  return new Set([...text.matchAll(/^#+ (\d+(?:\.\d+)*)\.? /gm)].map(([, number]) => number!));
}

/** As GitHub makes the anchors of headings. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, title]) =>
      title!
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function badCitations(path: string, text: string): string[] {
  const own = Object.keys(CITED).find(name => CITED[name] === path);
  let named = own;
  let end = 0;
  return [...text.replace(LINK, '').matchAll(PART)].flatMap(match => {
    const [whole, name, ...sections] = match;
    if (own !== undefined && match.index > end + ', '.length) named = own;
    end = match.index + whole.length;
    if (name !== undefined) {
      named = name.toLowerCase();
      return [];
    }
    if (named === undefined) return [`${path}: ${whole} of no document`];
    const known = SECTIONS.get(named);
    const missing = sections.filter(it => it !== undefined && known !== undefined && !known.has(it));
    return missing.map(it => `${path}: ${named} ${SIGN}${it}`);
  });
}

function badDecisions(path: string, text: string): string[] {
  const cited = [...text.matchAll(/\bADR (\d{4})\b/g)].map(([, number]) => number!);
  return cited.filter(number => !DECISIONS.has(number)).map(number => `${path}: ADR ${number}`);
}

function badLinks(path: string, text: string): string[] {
  return [...text.matchAll(LINK)].flatMap(([, , target]) => {
    const [file = '', anchor] = target!.split('#');
    if (/^[a-z]+:/.test(file)) return [];
    const found = file === '' ? path : posix.join(posix.dirname(path), file);
    const isThere = existsSync(found) && (anchor === undefined || anchorsOf(readFileSync(found, 'utf8')).has(anchor));
    return isThere ? [] : [`${path}: ${target}`];
  });
}

describe('every citation leads somewhere', () => {
  const files = [...readTextFiles(['src', 'test', 'bench', 'proto'], /\.(ts|js|md|yaml|proto)$/), ...DOCUMENTS];

  it('to a section of a document', () => {
    expect(files.flatMap(({ path, text }) => badCitations(path, text))).toEqual([]);
  });

  it('to a decision', () => {
    expect(files.flatMap(({ path, text }) => badDecisions(path, text))).toEqual([]);
  });

  it('to a file and its heading', () => {
    expect(DOCUMENTS.flatMap(({ path, text }) => badLinks(path, text))).toEqual([]);
  });
});

describe('a bad one is found', () => {
  it.each([
    [`contract ${SIGN}4.99`, ['a.ts: contract \u00a74.99']],
    [`beyond ${SIGN}90`, ['a.ts: beyond \u00a790']],
    [`(Interface ${SIGN}2.2, ${SIGN}2.9)`, ['a.ts: interface \u00a72.9']],
    [`(venue-b.md\n// ${SIGN}5.1–5.77)`, ['a.ts: venue-b.md \u00a75.77']],
    [`see ${SIGN}3`, ['a.ts: \u00a73 of no document']],
    [`RFC 9110 ${SIGN}99.1, contract ${SIGN}4.6`, []],
  ])('%j', (text, faults) => {
    expect(badCitations('a.ts', text)).toEqual(faults);
  });

  it('among decisions', () => {
    expect(badDecisions('a.ts', `(ADR ${'9999'}, ADR 0001)`)).toEqual([`a.ts: ADR ${'9999'}`]);
  });

  it.each(['nothing.md', '../README.md#nothing', '#nothing'])('in a link to %s', target => {
    expect(badLinks('docs/HACKING.md', `[a](${target}) and [b](spec/contract.md#46-idempotency)`)).toEqual([
      `docs/HACKING.md: ${target}`,
    ]);
  });
});

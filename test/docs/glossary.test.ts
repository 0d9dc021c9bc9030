// docs/GLOSSARY.md holds. No file, no export and no document has a name for a thing that has another one. No prose has the words that hide
// who does what.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commentedFiles, DOCUMENTS } from '../support/documents.ts';
import { readTextFiles } from '../support/source-file.ts';

/** In pieces, so that this file has none of them. */
const BANNED = new RegExp(
  `\\b(${['who', 'what', 'which'].map(word => `${word}ever`).join('|')}|t${'old'})\\b|what there ${'is'} of`,
  'i',
);
/** Records keep their words. */
const KEPT = /^docs\/adr\/|^CHANGELOG\.md$|^bench\/RESULTS\.md$/;

const PROSE = [...DOCUMENTS, ...readTextFiles(['bench', 'clients'], /\.md$/), ...commentedFiles()].filter(
  ({ path }) => !KEPT.test(path) && path !== 'docs/GLOSSARY.md',
);

/** Terms of the last column. */
function refusedTerms(glossary: string): string[] {
  const rows = glossary.split('\n').filter(line => line.startsWith('| **'));
  return rows
    .flatMap(row => row.split('|').at(-2)!.split(','))
    .flatMap(term => (term.trim() === '' ? [] : [term.trim()]));
}

/** As prose, as a name of a file, and as part of a name in code. */
function patternOf(term: string): RegExp {
  const words = term.split(' ');
  const [first, ...rest] = words.map(word => `${word[0]!.toUpperCase()}${word.slice(1)}`);
  return new RegExp(
    `\\b${words.join('[ -]')}s?\\b|[${first![0]!.toLowerCase()}${first![0]}]${first!.slice(1)}${rest.join('')}`,
  );
}

function faultsIn(path: string, text: string, terms: readonly string[]): string[] {
  const patterns = terms.map(patternOf);
  return `${path}\n${text}`.split('\n').flatMap((line, number) => {
    const isFine = !BANNED.test(line) && !patterns.some(it => it.test(line));
    return isFine ? [] : [`${path}:${number}: ${line.trim()}`];
  });
}

describe('one term for one thing', () => {
  const terms = refusedTerms(readFileSync('docs/GLOSSARY.md', 'utf8'));

  it('in every file with comments, and in every document', () => {
    expect(PROSE.flatMap(({ path, text }) => faultsIn(path, text, terms))).toEqual([]);
  });

  it('another term would be noticed', () => {
    const [homeless] = [['homeless', 'fill'].join(' ')];
    expect(terms).toContain(homeless);
    const planted = [
      `export class Home${'less'}Fills {}`,
      `a home${'less'} fill is kept`,
      `it is t${'old'} of it`,
      `Who${'ever'} comes`,
    ];
    for (const line of planted) expect(faultsIn('a.ts', line, terms)).toHaveLength(1);
    expect(faultsIn(`src/orders/life/home${'less'}-fills.ts`, '', terms)).toHaveLength(1);
    expect(faultsIn('src/orders/life/orphan-fills.ts', 'an orphan fill is kept', terms)).toEqual([]);
  });
});

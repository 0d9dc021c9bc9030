// No sentence of a document or of a comment of the source has more than 25 words (CONTRIBUTING.md).

import { describe, expect, it } from 'vitest';
import { DOCUMENTS } from '../support/documents.ts';
import { commentsIn, longSentences, proseOf, SENTENCE_WORDS_MAX } from '../support/sentences.ts';
import { readTextFiles } from '../support/source-file.ts';

const SOURCES = readTextFiles(['src'], /(?<!\.generated)\.(ts|js)$/);
/** Records keep their words, and notes on venues the venues' own. */
const KEPT = /^docs\/(adr\/0|FAULTS\.md|spec\/venue)|^CHANGELOG\.md$/;

describe('a sentence is short enough to be read aloud', () => {
  it('in every comment of the source', () => {
    expect(SOURCES.flatMap(({ path, text }) => longSentences(path, commentsIn(text)))).toEqual([]);
  });

  it('in every document', () => {
    const pages = DOCUMENTS.filter(({ path }) => !KEPT.test(path));
    expect(pages.flatMap(({ path, text }) => longSentences(path, proseOf(text)))).toEqual([]);
  });
});

describe('a longer one would be noticed', () => {
  const long = `${'word '.repeat(SENTENCE_WORDS_MAX)}end`;
  const short = `${'word '.repeat(SENTENCE_WORDS_MAX - 1)}end`;
  const wrapped = (text: string, mark: string) => text.replace(/(?<= word) (?=word word end)/, `\n${mark}`);

  it.each([
    ['a line comment', `const a = 1;\n  // ${wrapped(long, '  // ')}.`],
    ['a docstring', `/**\n * Short.\n *\n * ${wrapped(long, ' * ')}.\n */`],
    ['a docstring of one line', `  /** Short. ${long}. */`],
    ['an item', `// Two:\n// - short,\n// - ${wrapped(long, '//   ')}.`],
    ['a sentence behind a short one', `// Short. ${long}.`],
  ])('in %s', (_where, code) => {
    expect(longSentences('a.ts', commentsIn(code))).toHaveLength(1);
    expect(longSentences('a.ts', commentsIn(code.replace('word ', '')))).toEqual([]);
  });

  it.each([
    ['a paragraph', `${wrapped(long, '')}.`],
    ['an item', `- ${wrapped(long, '  ')}.`],
    ['a cell', `| a | ${long} |`],
  ])('in %s of a document', (_where, text) => {
    expect(longSentences('a.md', proseOf(text))).toHaveLength(1);
    expect(longSentences('a.md', proseOf(text.replace('word ', '')))).toEqual([]);
  });

  it.each([
    ['code', `\`\`\`text\n${long}\n\`\`\``],
    ['a cell of two', `| ${short}; ${short} |`],
    ['a name in backticks', `${short.replace('word', `\`${long}\``)}.`],
  ])('and not in %s', (_where, text) => {
    expect(longSentences('a.md', proseOf(text))).toEqual([]);
  });
});

// No sentence of a document or of a comment has more than 25 words (CONTRIBUTING.md).

import { describe, expect, it } from 'vitest';
import { commentedFiles, DOCUMENTS } from '../support/documents.ts';
import { commentsIn, longSentences, proseOf, SENTENCE_WORDS_MAX } from '../support/sentences.ts';
import { readTextFiles } from '../support/source-file.ts';

/** Records keep their words, and notes on venues the venues' own. */
const KEPT = /^docs\/(adr\/0|FAULTS\.md|spec\/venue)|^CHANGELOG\.md$/;

function descriptionsIn(json: string): string[] {
  const found: string[] = [];
  JSON.parse(json, (name, value) => {
    if ((name === 'description' || name === 'summary') && typeof value === 'string') found.push(value);
    return value;
  });
  return found;
}

describe('a sentence is short enough to be read aloud', () => {
  it('in every comment', () => {
    expect(commentedFiles().flatMap(({ path, text }) => longSentences(path, commentsIn(path, text)))).toEqual([]);
  });

  it('in every description of the contract', () => {
    const contracts = readTextFiles(['proto'], /\.generated\.json$/);
    expect(
      contracts.flatMap(({ path, text }) => descriptionsIn(text).flatMap(it => longSentences(path, proseOf(it)))),
    ).toEqual([]);
  });

  it('in every document', () => {
    const pages = [...DOCUMENTS, ...readTextFiles(['clients'], /\.md$/)].filter(({ path }) => !KEPT.test(path));
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
    ['a comment of C', `/* Short.\n * ${wrapped(long, ' * ')}. */`, 'a.h'],
    ['a comment of Rust', `//! ${wrapped(long, '/// ')}.`, 'a.rs'],
    ['a comment of a script', `#!/bin/sh\n# ${wrapped(long, '# ')}.`, 'deploy/a'],
    ['a docstring of Python', `  """Short.\n\n  ${wrapped(long, '  ')}.\n  """`, 'a.py'],
  ])('in %s', (_where, code, path = 'a.ts') => {
    expect(longSentences(path, commentsIn(path, code))).toHaveLength(1);
    expect(longSentences(path, commentsIn(path, code.replace('word ', '')))).toEqual([]);
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
  ])('it is not noticed in %s', (_where, text) => {
    expect(longSentences('a.md', proseOf(text))).toEqual([]);
  });
});

// No sentence of a document or of a comment has more than 25 words (CONTRIBUTING.md).

import { describe, expect, it } from 'vitest';
import { codeBlocksOut, commentedFiles, DOCUMENTS } from '../support/documents.ts';
import { readTextFiles } from '../support/source-file.ts';

/** Records keep their words, and notes on venues the venues' own. */
const KEPT = /^docs\/(adr\/0|spec\/venue)|^CHANGELOG\.md$/;

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
    const contracts = readTextFiles(['src/core/generated'], /\.json$/);
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

// Sentences of comments and documents, and those that are too long to be read aloud. Code, tables drawn with blanks and drawings are no
// sentences. A piece of code between backticks counts as one word.

const SENTENCE_WORDS_MAX = 25;

interface Prose {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Columns that blanks align, or a frame. */
const DRAWN = /\S {3,}\S|[─│┌└]/;
const ITEM = /^(?:[-*]|\d+\.) /;
/** A heading, an indented block, or no text at all. */
/** An entry of a table of contents. */
const LINKS = /^ *- (?:\[[^\]]*\]\([^)]*\)(?:, )?)+$/;
const NOTHING = /^(?:#| {4}|\s*$)/;

interface Marks {
  readonly line: RegExp;
  readonly opens: RegExp;
  readonly closes: string;
}

/** TypeScript, JavaScript, C, Rust and Protocol Buffers. */
const SLASHES: Marks = { line: /^\/\/[/!]?/, opens: /^\/\*+/, closes: '*/' };
/** Python with its docstrings, shells, YAML and settings. */
const HASHES: Marks = { line: /^#(?!!):?/, opens: /^"""/, closes: '"""' };

/** Paragraphs of line comments and of docstrings, by the language that the path's ending names. A list has one for each item. */
function commentsIn(path: string, code: string): Prose[] {
  const marks = /\.(ts|js|c|h|rs|proto)$/.test(path) ? SLASHES : HASHES;
  let isInside = false;
  const lines = code.split('\n').map(line => {
    const comment = commentOf(line.trim(), isInside, marks);
    isInside = comment.isOpen;
    return comment;
  });
  return paragraphs(lines).filter(({ text }) => !DRAWN.test(text));
}

/** `isInside`: an earlier line has opened a block, and none has closed it. */
function commentOf(line: string, isInside: boolean, { line: mark, opens, closes }: Marks) {
  const isNew = !isInside && opens.test(line);
  if (!isInside && !isNew) return { text: mark.test(line) ? line.replace(mark, '') : '', isNew, isOpen: false };
  const text = isNew ? line.replace(opens, '') : line.replace(/^\*(?!\/)/, '');
  return { text: text.split(closes)[0]!, isNew, isOpen: !text.includes(closes) };
}

/** Paragraphs and items of a document, and the cells of its tables, in which a semicolon ends a sentence. */
function proseOf(markdown: string): Prose[] {
  const lines = codeBlocksOut(markdown).split('\n');
  const cells = lines.flatMap((line, index) =>
    line.startsWith('|') ? line.split(/[|;]/).map(text => ({ line: index + 1, text })) : [],
  );
  const texts = lines.map(line => ({
    text: /^\|/.test(line) || NOTHING.test(line) || LINKS.test(line) ? '' : line,
    isNew: false,
  }));
  return [...paragraphs(texts), ...cells];
}

function paragraphs(lines: readonly { readonly text: string; readonly isNew: boolean }[]): Prose[] {
  const found: { line: number; text: string }[] = [];
  let last: { line: number; text: string } | null = null;
  for (const [index, { text, isNew }] of lines.entries()) {
    const words = text.trimEnd();
    if (words.trim() === '') last = null;
    else if (last === null || isNew || ITEM.test(words.trimStart())) {
      last = { line: index + 1, text: words };
      found.push(last);
    } else last.text += ` ${DRAWN.test(words.trim()) ? words : words.trim()}`;
  }
  return found;
}

/** `path:line: n words: sentence` for each that is too long. */
function longSentences(path: string, prose: readonly Prose[]): string[] {
  return prose.flatMap(({ line, text }) =>
    text
      .trim()
      .replace(/`[^`]*`/g, 'X')
      .split(/(?<=[.!?][)”]?\*{0,2})\s+/)
      .map(sentence => ({ sentence, words: sentence.split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length }))
      .filter(({ words }) => words > SENTENCE_WORDS_MAX)
      .map(({ sentence, words }) => `${path}:${line}: ${words} words: ${sentence}`),
  );
}

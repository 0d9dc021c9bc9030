// Sentences of comments and documents, and those that are too long to be read aloud. Code, tables drawn with blanks and drawings are no
// sentences. A piece of code between backticks counts as one word.

import { codeBlocksOut } from './documents.ts';

export const SENTENCE_WORDS_MAX = 25;

interface Prose {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Columns that blanks align, or a frame. */
const DRAWN = /\S {3,}\S|[─│┌└]/;
const ITEM = /^(?:[-*]|\d+\.) /;
/** A heading, an indented block, or no text at all. */
const NOTHING = /^(?:#| {4}|\s*$)/;

/** Paragraphs of line comments and of docstrings. A list has one for each item. */
export function commentsIn(code: string): Prose[] {
  let isInside = false;
  const lines = code.split('\n').map(line => {
    const { text, isDocstring, isLast } = commentOf(line, isInside);
    isInside = isDocstring && !isLast;
    return { text, isNew: line.trimStart().startsWith('/**') };
  });
  return paragraphs(lines).filter(({ text }) => !DRAWN.test(text));
}

function commentOf(line: string, isInside: boolean): { text: string; isDocstring: boolean; isLast: boolean } {
  const [, mark, text = ''] = /^\s*(\/\/|\/\*\*|\*(?!\/))(.*?)(?:\*\/)?$/.exec(line) ?? [];
  const isDocstring = mark === '/**' || isInside;
  const isText = mark !== undefined && (mark !== '*' || isInside);
  return { text: isText ? text.replace(/^ /, '') : '', isDocstring, isLast: line.includes('*/') };
}

/** Paragraphs and items of a document, and the cells of its tables, in which a semicolon ends a sentence. */
export function proseOf(markdown: string): Prose[] {
  const lines = codeBlocksOut(markdown).split('\n');
  const cells = lines.flatMap((line, index) =>
    line.startsWith('|') ? line.split(/[|;]/).map(text => ({ line: index + 1, text })) : [],
  );
  const texts = lines.map(line => ({ text: /^\|/.test(line) || NOTHING.test(line) ? '' : line, isNew: false }));
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
export function longSentences(path: string, prose: readonly Prose[]): string[] {
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

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
export function commentsIn(path: string, code: string): Prose[] {
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

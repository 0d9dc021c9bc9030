// The examples of the documents, as something to run: requests with their bodies, messages of the WebSockets, and programs.

import { DOCUMENTS } from './documents.ts';

interface Shown {
  /** File and line. */
  readonly place: string;
}

export interface ShownRequest extends Shown {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query. */
  readonly target: string;
  /** JSON text; empty without one. */
  readonly body: string;
}

interface ShownMessage extends Shown {
  /** JSON text, with `…` where a value is left out. */
  readonly text: string;
}

interface ShownProgram extends Shown {
  readonly language: string;
  readonly text: string;
}

/** Notation of the specification, and records of decisions, are no examples. */
const PAGES = DOCUMENTS.filter(({ path }) => !/^docs\/(spec|adr)\/|^CHANGELOG\.md$/.test(path));

const REQUEST =
  /(?:^ {4,}(?:signed )?|`)(GET|POST|DELETE) +'?(\/(?:v1\/|healthz|readyz|metrics|llms\.txt)[^\s`']*)(?='?(?:[\s`]|$))/gm;
/** Types of messages are written in lower case, those of a time in force are not. */
const MESSAGE = /(?<!\[)\{"(?:op|type)":"[a-z]/g;
const PROGRAM = /^```(ts|js|python|sh)\n([\s\S]*?)^```$/gm;

export function shownRequests(): readonly ShownRequest[] {
  return PAGES.flatMap(({ path, text }) => requestsIn(path, inOneColumn(text)));
}

export function requestsIn(path: string, text: string): ShownRequest[] {
  return [...text.matchAll(REQUEST)].map(match => {
    const [whole, method, target] = match;
    const rest = text.slice(match.index + whole.length);
    const body = /^'?\s*'?\{/.test(rest) ? jsonAt(rest, rest.indexOf('{')) : '';
    return { place: placeOf(path, text, match.index), method: method as ShownRequest['method'], target: target!, body };
  });
}

/** The messages of a document, in its order. */
export function shownMessages(): readonly ShownMessage[] {
  return PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(MESSAGE)].map(({ index }) => ({ place: placeOf(path, text, index), text: jsonAt(text, index) })),
  );
}

export function shownPrograms(): readonly (ShownProgram & { readonly path: string })[] {
  return PAGES.flatMap(({ path, text }) =>
    [...text.matchAll(PROGRAM)].map(({ index, 1: language, 2: program }) => {
      return { path, place: placeOf(path, text, index), language: language!, text: program! };
    }),
  );
}

/** The text of the JSON value that begins there. */
function jsonAt(text: string, from: number): string {
  let depth = 0;
  for (let at = from, isString = false; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"' && text[at - 1] !== '\\') isString = !isString;
    if (isString) continue;
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return text.slice(from, at + 1);
  }
  throw new Error(`JSON without an end: ${text.slice(from, from + 60)}`);
}

/** Two requests beside each other become one below the other, each with its body. */
function inOneColumn(text: string): string {
  return text.replace(/^( {4}(?:GET|POST) \S+ +)((?:GET|POST) \S+)\n((?: {4}.*\n)+)/gm, (_, left, right, bodies) => {
    const rows = String(bodies).split('\n');
    const column = (from: number, to?: number) => rows.map(row => row.slice(from, to)).join(' ');
    return `${left}${column(0, left.length)}\n    ${right} ${column(left.length)}\n`;
  });
}

function placeOf(path: string, text: string, index: number): string {
  return `${path}:${text.slice(0, index).split('\n').length}`;
}

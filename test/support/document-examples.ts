// The examples of the documents in a form that tests can run: requests with their bodies, messages of the WebSockets, and programs.

import { DOCUMENTS } from './documents.ts';

interface Shown {
  /** The file and the line. */
  readonly place: string;
}

export interface ShownRequest extends Shown {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path and the query. */
  readonly target: string;
  /** The body as JSON text. Empty means that the request has no body. */
  readonly body: string;
}

interface ShownMessage extends Shown {
  /** The message as JSON text, with `…` in the place of a value that is left out. */
  readonly text: string;
}

interface ShownProgram extends Shown {
  readonly language: string;
  readonly text: string;
}

/** The pages with examples. The notation of the specification and the records of decisions are not examples. */
const PAGES = DOCUMENTS.filter(({ path }) => !/^docs\/(spec|adr)\/|^CHANGELOG\.md$/.test(path));

const REQUEST =
  /(?:^ {4,}(?:signed )?|`)(GET|POST|DELETE) +'?(\/(?:v1\/|healthz|readyz|metrics|llms\.txt)[^\s`']*)(?='?(?:[\s`]|$))/gm;
/** The start of a message. Types of messages are written in lower case, unlike the types of a time in force. */
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

/** Returns the messages of a document, in the document's order. */
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

/** Returns the text of the JSON value that begins at `from`. */
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

/** Puts two requests that stand beside each other below each other, each with its body. */
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

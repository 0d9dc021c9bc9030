// Serves the web page: its files, and the enrolment of its key in the demo pod. Nothing here depends on a key, and no answer sets a cookie.
// Main thread.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { textOf } from '../../core/domain/json.ts';
import { HTTP_OK } from '../../core/net/http-status.ts';
import {
  type Header,
  type HttpRoute,
  type InboundRequest,
  jsonReply,
  NO_STORE,
  type Reply,
} from '../../core/net/listen.ts';
import { readJsonBody } from '../../core/wire/json-body.ts';
import { refusal, signedRefusal } from '../api/api-refusals.ts';
import type { Enrolment } from './enrolment.ts';

interface PageParts {
  /** Null means that only the command line registers keys. */
  readonly enrolment: Enrolment | null;
  /** Whether the gateway has TLS, so that browsers check its name by its certificate. */
  readonly hasTls: boolean;
}

/** Allows scripts, styles, images and connections of this origin, and nothing else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const GUARDS: readonly Header[] = [
  ['Content-Security-Policy', POLICY],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
];

/** Tells the browser to keep the file and not to ask for it again. */
const FOR_GOOD: Header = ['Cache-Control', 'public, max-age=31536000, immutable'];
/** Tells the browser to ask each time whether its copy is still right. */
const ASK_AGAIN: Header = ['Cache-Control', 'no-cache'];
const ENROLMENT_PATH = '/page/enrolment';

export function pageRoutes(parts: PageParts): readonly HttpRoute[] {
  const guarded =
    (handle: (request: InboundRequest) => Reply) =>
    (request: InboundRequest): Reply =>
      parts.hasTls || isKnownHost(request.header('host')) ? handle(request) : signedRefusal(UNKNOWN_HOST);
  const files = pageFiles(parts.enrolment?.actorId ?? '').flatMap(file =>
    (['get', 'head'] as const).map(method => ({
      method,
      pattern: file.path,
      handle: guarded(request => fileReply(file, request)),
    })),
  );
  const enrol = guarded(request => enrolmentReply(parts.enrolment, request));
  return [...files, { method: 'post', pattern: ENROLMENT_PATH, handle: enrol }];
}

const UNKNOWN_HOST = refusal(
  'forbidden',
  'Host: must be an IP address or localhost, as the page is served without TLS; docs/PAGE.md says how a proxy sets it',
);

function fileReply({ contentType, body, etag, isLasting }: PageFile, request: InboundRequest): Reply {
  const isKnown = request
    .header('if-none-match')
    .split(',')
    .some(it => it.trim().replace(/^W\//, '') === etag);
  const headers: readonly Header[] = [...GUARDS, ['ETag', etag], isLasting ? FOR_GOOD : ASK_AGAIN];
  return isKnown ? { status: 304, contentType, body: '', headers } : { status: HTTP_OK, contentType, body, headers };
}

/**
 * Registers the page's key. A page of another origin cannot send this request: a request declared as JSON needs a permission, which is
 * never given.
 */
function enrolmentReply(enrolment: Enrolment | null, request: InboundRequest): Reply {
  if (enrolment === null)
    return signedRefusal(refusal('notFound', 'keys of the page are registered by crossbook keys register'));
  if (!/^application\/json(;|$)/i.test(request.header('content-type'))) {
    return signedRefusal(refusal('invalid', 'Content-Type: must be application/json'));
  }
  const body = readJsonBody(request.body);
  if (!body.ok) return signedRefusal(refusal('invalid', body.error));
  const key = enrolment.enrol(textOf(body.value.token), textOf(body.value.publicKey));
  if (!key.ok) return signedRefusal(refusal('forbidden', key.error, [NO_STORE]));
  const { keyId, podId, actorId, scopes } = key.value;
  return { ...jsonReply(201, { keyId, podId, actorId, scopes }), headers: [NO_STORE] };
}

/**
 * Whether a browser's request names this machine. A website may let its own name point to this address (DNS rebinding). Its scripts would
 * then treat the page as their own. With TLS the certificate prevents that. `host` is the text of the header. Returns true for IP addresses
 * and `localhost`, with or without a port.
 */
export function isKnownHost(host: string): boolean {
  const [, name = ''] = /^(.*?)(?::\d{1,5})?$/.exec(host.toLowerCase()) ?? [];
  const [, bracketed] = /^\[(.*)\]$/.exec(name) ?? [];
  if (bracketed !== undefined) return isIP(bracketed) === 6;
  return isIP(name) === 4 || name === 'localhost';
}

interface PageFile {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** The entity tag with its quotes. */
  readonly etag: string;
  readonly isLasting: boolean;
}

const HASH_CHARACTERS = 16;
const SCRIPT = new URL('../../core/generated/page.js', import.meta.url);
const STYLE = new URL('../../core/generated/page.css', import.meta.url);
const ICON = new URL('../../tools/page/icon.svg', import.meta.url);
const DOCUMENT = new URL('../../tools/page/index.html', import.meta.url);

/**
 * Reads the files of the page into memory. The names of script and style contain the hash of their content, so that a browser can keep them
 * for good. The document names the demo's actor, for the command that registers a browser. It names no other actor, because anyone may read
 * it. `npm run make:generated` bundles the sources in src/tools/page. Throws if a file is missing, because such an installation must not
 * start.
 */
function pageFiles(actorId: string): readonly PageFile[] {
  const script = lasting('page', 'js', 'text/javascript', readFileSync(SCRIPT));
  const style = lasting('page', 'css', 'text/css', readFileSync(STYLE));
  const icon = lasting('icon', 'svg', 'image/svg+xml', readFileSync(ICON));
  const text = readFileSync(DOCUMENT, 'utf8')
    .replace('{script}', script.path)
    .replace('{style}', style.path)
    .replace('{icon}', icon.path)
    .replace('{actor}', actorId);
  const body = Buffer.from(text);
  const document = { path: '/', contentType: 'text/html; charset=utf-8', body, etag: etagOf(body), isLasting: false };
  return [document, script, style, icon];
}

function lasting(name: string, ending: string, type: string, body: Buffer): PageFile {
  const etag = etagOf(body);
  const path = `/page/${name}-${etag.slice(1, -1)}.${ending}`;
  return { path, contentType: `${type}; charset=utf-8`, body, etag, isLasting: true };
}

function etagOf(body: Buffer): string {
  return `"${hash('sha256', body).slice(0, HASH_CHARACTERS)}"`;
}

// The files of the web page as they are served, from memory. Names of script and style hold the hash of their content, so that a browser keeps
// them for good. `npm run make:page` bundles the sources in src/page. Main thread, before it listens.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export interface PageFile {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** With its quotes. */
  readonly etag: string;
  readonly isLasting: boolean;
}

const HASH_CHARACTERS = 16;
const SCRIPT = new URL('../../page/page.generated.js', import.meta.url);
const STYLE = new URL('../../page/page.generated.css', import.meta.url);
const ICON = new URL('../../page/icon.svg', import.meta.url);
const DOCUMENT = new URL('../../page/index.html', import.meta.url);

/** Throws if a file is missing: such an installation must not start. */
export function pageFiles(): readonly PageFile[] {
  const script = lasting('page', 'js', 'text/javascript', readFileSync(SCRIPT));
  const style = lasting('page', 'css', 'text/css', readFileSync(STYLE));
  const icon = lasting('icon', 'svg', 'image/svg+xml', readFileSync(ICON));
  const text = readFileSync(DOCUMENT, 'utf8')
    .replace('{script}', script.path)
    .replace('{style}', style.path)
    .replace('{icon}', icon.path);
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

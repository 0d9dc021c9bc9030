// Builds the site: `npm run site` writes it to dist/site, `npm run site -- FOLDER` to a folder. Each document is a page at its own path, so links
// between documents hold as they are. The README comes first, and its last list is the menu. Nothing is loaded from elsewhere.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { build } from 'esbuild';
import { contractAsMarkdown } from './contract.ts';
import { escaped, type Rendered, render, type Section } from './markdown.ts';

const ROOT = join(import.meta.dirname, '..');
const FIRST = 'README.md';
const CONTRACTS = ['proto/openapi.yaml', 'proto/asyncapi.yaml'];
const DECISION = /^docs\/adr\/\d/;

interface Page extends Rendered {
  readonly path: string;
  readonly source: string;
  readonly title: string;
}

interface MenuGroup {
  readonly title: string;
  readonly entries: readonly { readonly path: string; readonly text: string }[];
}

const sources = collectSources();
const pages = new Map([...sources].map(([path, source]) => [path, pageFrom(path, source)]));
const menu = menuOf(sources.get(FIRST)!);
await write(process.argv[2] ?? join(ROOT, 'dist/site'));

/** The README, all documents, and what they link to, by their paths. */
function collectSources(): Map<string, string> {
  const found = new Map<string, string>();
  const documents = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map(it => `docs/${it}`);
  const waiting = [FIRST, ...CONTRACTS, ...documents.filter(it => it.endsWith('.md')).toSorted()];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (found.has(path) || !isPage(path)) continue;
    const text = readFileSync(join(ROOT, path), 'utf8');
    found.set(path, CONTRACTS.includes(path) ? contractAsMarkdown(text) : text);
    for (const link of render(
      found.get(path)!,
      it => it,
      () => undefined,
    ).links)
      waiting.push(targetOf(path, link));
  }
  return found;
}

function isPage(path: string): boolean {
  return CONTRACTS.includes(path) || (path.endsWith('.md') && existsSync(join(ROOT, path)));
}

/** The file in the repository that a link of `path` names; `''` for one on the same page or on another site. */
function targetOf(path: string, link: string): string {
  const [file = ''] = link.split('#');
  return file === '' || /^\w+:/.test(file) ? '' : normalize(join(dirname(path), decodeURI(file)));
}

function htmlPath(path: string): string {
  return path === FIRST ? 'index.html' : path.replace(/\.\w+$/, '.html');
}

function linkFrom(from: string, to: string): string {
  return relative(dirname(from), to);
}

function pageFrom(path: string, source: string): Page {
  const place = (link: string): string => {
    const target = targetOf(path, link);
    return sources.has(target) ? linkFrom(path, htmlPath(target)) + (/#.*/.exec(link)?.[0] ?? '') : link;
  };
  const pageOf = (named: string): string | undefined =>
    named !== path && sources.has(named) ? linkFrom(path, htmlPath(named)) : undefined;
  const rendered = render(source, place, pageOf);
  return { ...rendered, path, source, title: rendered.sections[0]?.title ?? path };
}

/** The groups of the README's list "Read on", and the other documents; decisions are found by their own list. */
function menuOf(readme: string): readonly MenuGroup[] {
  const list = readme.slice(readme.indexOf('\n## Read on\n')).replace(/(?<=\n## Read on\n[\s\S]*?)\n## [\s\S]*/, '');
  const groups = list
    .split('\n- ')
    .slice(1)
    .map(item => ({
      title: /^\*\*(.+?):\*\*/.exec(item)![1]!,
      entries: [...item.matchAll(/\[(.+?)\]\((.+?)\)/g)].map(([, text, path]) => ({ path: path!, text: text! })),
    }));
  const named = new Set([FIRST, ...groups.flatMap(({ entries }) => entries.map(({ path }) => path))]);
  const others = [...pages.values()].filter(({ path }) => !named.has(path) && !DECISION.test(path));
  return [...groups, { title: 'More', entries: others.map(({ path, title }) => ({ path, text: title })) }];
}

async function write(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const page of pages.values()) {
    put(htmlPath(page.path), shell(page));
    put(page.path.replace(/\.\w+$/, '.md'), page.source);
    for (const target of page.links.map(it => targetOf(page.path, it)).filter(it => it !== '' && !sources.has(it)))
      cpSync(join(ROOT, target), join(folder, target), { recursive: true });
  }
  for (const path of CONTRACTS) cpSync(join(ROOT, path), join(folder, path));
  cpSync(join(import.meta.dirname, 'site.css'), join(folder, 'site.css'));
  put('llms.txt', wordsForModels());
  put('search-index.js', `globalThis.crossbookSearch(${JSON.stringify(searchRows())})`);
  const script = join(import.meta.dirname, 'browser.ts');
  await build({ entryPoints: [script], outfile: join(folder, 'site.js'), bundle: true, minify: true });
  console.log(`site: ${pages.size} pages in ${folder}`);
}

function searchRows() {
  return [...pages.values()].flatMap(({ path, title, sections }) =>
    sections.map((it, at) => ({ id: `${htmlPath(path)}${at === 0 ? '' : `#${it.anchor}`}`, page: title, ...it })),
  );
}

/** llmstxt.org: what there is to read, with a sentence on each page. */
function wordsForModels(): string {
  const first = pages.get(FIRST)!;
  const list = (entries: MenuGroup['entries']): string =>
    entries.map(({ path, text }) => `- [${text}](${path.replace(/\.\w+$/, '.md')}): ${summaryOf(path)}`).join('\n');
  const groups = menu.map(({ title, entries }) => `## ${title}\n\n${list(entries)}`);
  return `# ${first.title}\n\n> ${summaryOf(FIRST)}\n\n${groups.join('\n\n')}\n`;
}

function summaryOf(path: string): string {
  return /^.*?[.](?= |$)/.exec(pages.get(path)!.sections[0]!.text.trim())?.[0] ?? '';
}

function shell({ path, title, html, sections }: Page): string {
  const to = (target: string): string => linkFrom(path, target);
  const name = path === FIRST ? title : `${title} · crossbook`;
  return `<!doctype html>
<html lang="en" data-root="${to('.') || '.'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(name)}</title>
<meta name="description" content="${escaped(summaryOf(path))}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('site.css')}">
<script src="${to('site.js')}"></script>
</head>
<body>
<header>
<button id="menu" aria-expanded="false" aria-controls="pages">Menu</button>
<a href="${to('index.html')}">crossbook</a>
<search><input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off"><ol id="found" hidden></ol></search>
<button id="scheme">Dark</button>
</header>
<nav id="pages" aria-label="Pages">${menuFrom(path)}</nav>
<main>
${html}</main>
${outline(sections)}
</body>
</html>
`;
}

function menuFrom(path: string): string {
  const entry = (it: MenuGroup['entries'][number]): string =>
    `<li><a href="${linkFrom(path, htmlPath(it.path))}"${it.path === path ? ' aria-current="page"' : ''}>${escaped(it.text)}</a></li>`;
  const group = ({ title, entries }: MenuGroup): string =>
    `<h2>${escaped(title)}</h2><ul>${entries.map(entry).join('')}</ul>`;
  return menu.map(group).join('\n');
}

function outline(sections: readonly Section[]): string {
  const shown = sections.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '';
  const entry = ({ anchor, title, level }: Section): string =>
    `<li class="level${level}"><a href="#${anchor}">${escaped(title)}</a></li>`;
  return `<nav id="outline" aria-label="On this page"><h2>On this page</h2><ul>${shown.map(entry).join('')}</ul></nav>`;
}

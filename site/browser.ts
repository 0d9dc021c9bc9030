// What the pages of the site do in a browser: search, the menu of a phone, light and dark.

import MiniSearch from 'minisearch';

interface Row {
  readonly id: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

const FOUND_MAX = 12;
const WORDS_AROUND = 60;
const { documentElement } = document;
const root = documentElement.dataset.root!;

// Before the page is shown.
applyScheme(localStorage.getItem('scheme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
document.addEventListener('DOMContentLoaded', () => {
  const [menu, pages, scheme] = ['menu', 'pages', 'scheme'].map(id => document.getElementById(id)!);
  const search = document.querySelector<HTMLInputElement>('#search')!;
  menu!.addEventListener('click', () => {
    menu!.setAttribute('aria-expanded', String(pages!.classList.toggle('open')));
  });
  scheme!.addEventListener('click', () => {
    applyScheme(otherScheme());
    localStorage.setItem('scheme', documentElement.style.colorScheme);
    scheme!.textContent = nameOf(otherScheme());
  });
  scheme!.textContent = nameOf(otherScheme());
  search.addEventListener('focus', loadIndex, { once: true });
  search.addEventListener('input', () => show(search.value));
  search.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') document.querySelector<HTMLAnchorElement>('#found a')?.click();
    if (key === 'Escape') show('');
  });
  document.addEventListener('click', ({ target }) => {
    if (!(target as Element).closest('search') || (target as Element).closest('#found a')) show('');
  });
  document.addEventListener('keydown', event => {
    if (event.key !== '/' || document.activeElement === search) return;
    event.preventDefault();
    search.focus();
  });
  document.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'center' });
});

function otherScheme(): string {
  return documentElement.style.colorScheme === 'dark' ? 'light' : 'dark';
}

function applyScheme(scheme: string): void {
  documentElement.style.colorScheme = scheme;
}

function nameOf(scheme: string): string {
  return scheme === 'dark' ? 'Dark' : 'Light';
}

let index: MiniSearch<Row> | undefined;

/** A script, since a page that is read from a disk may fetch no file. */
function loadIndex(): void {
  const script = document.createElement('script');
  script.src = `${root}/search-index.js`;
  Object.assign(globalThis, {
    crossbookSearch: (rows: readonly Row[]) => {
      const fields = ['title', 'page', 'text'];
      index = new MiniSearch<Row>({ fields, storeFields: fields });
      index.addAll(rows);
      show(document.querySelector<HTMLInputElement>('#search')!.value);
    },
  });
  document.head.append(script);
}

function show(words: string): void {
  const list = document.getElementById('found')!;
  const options = { prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { title: 4, page: 2 } } as const;
  const found = index === undefined || words.trim() === '' ? [] : index.search(words, options).slice(0, FOUND_MAX);
  list.replaceChildren(
    ...found.map(({ id, page, title, text, terms }) => entry(id as string, page, title, around(text, terms))),
  );
  list.hidden = words.trim() === '' || index === undefined;
  if (!list.hidden && found.length === 0) list.append(element('li', 'Nothing has these words.'));
}

function entry(id: string, page: string, title: string, text: string): HTMLElement {
  const link = document.createElement('a');
  link.href = `${root}/${id}`;
  link.append(element('b', title === page ? title : `${page}: ${title}`), element('small', text));
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function around(text: string, terms: readonly string[]): string {
  const at = Math.max(0, ...terms.map(it => text.toLowerCase().indexOf(it)));
  const from = Math.max(0, at - WORDS_AROUND);
  return `${from > 0 ? '…' : ''}${text.slice(from, at + 2 * WORDS_AROUND)}`;
}

function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

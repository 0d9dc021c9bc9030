// The site as `npm run site` writes it: every link leads to something, the contract is there whole, and a browser shows it without a network.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { removeFolder, temporaryFolder } from './support/temporary-folder.ts';
import { BrowserPage } from './tools/page/browser-page.ts';

const folder = temporaryFolder();
let pages: readonly string[];

beforeAll(() => {
  execFileSync(process.execPath, ['site/build.ts', folder]);
  pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(it => it.endsWith('.html'));
});
afterAll(() => removeFolder(folder));

const read = (path: string): string => readFileSync(join(folder, path), 'utf8');

/** The links of `html` to other places of the site that are not there. */
function deadLinks(path: string, html: string): string[] {
  const links = [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link]) => link!);
  return links.filter(link => {
    if (/^(https?|mailto|data):/.test(link)) return false;
    const [file = '', anchor] = decodeURI(link).split('#');
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsSync(join(folder, target))) return true;
    return anchor !== undefined && !(target === path ? html : read(target)).includes(` id="${anchor}"`);
  });
}

it('has a page for each document, and no dead link', () => {
  const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter(it => it.endsWith('.md'));
  expect(pages).toEqual(expect.arrayContaining(documents.map(it => `docs/${it.replace(/md$/, 'html')}`)));
  for (const path of pages) expect([path, deadLinks(path, read(path))]).toEqual([path, []]);
  const broken = read('index.html').replace('docs/PAGE.html', 'docs/GONE.html').replaceAll('#a-bot', '#no-bot');
  expect(deadLinks('index.html', broken)).toEqual(expect.arrayContaining(['docs/GONE.html', '#no-bot']));
});

it('loads nothing from elsewhere', () => {
  for (const path of [...pages, 'site.css', 'site.js'])
    expect([path, read(path).match(/(src="|url\(|<link [^>]*href="|import\()\s*['"]?(https?:)?\/\//)]).toEqual([
      path,
      null,
    ]);
});

it('has every operation and message of the contract', () => {
  const { paths } = parse(readFileSync('proto/openapi.yaml', 'utf8')) as { readonly paths: object };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  );
  const { components } = parse(readFileSync('proto/asyncapi.yaml', 'utf8'));
  const messages = Object.keys(components.messages);
  expect(Math.min(operations.length, messages.length)).toBeGreaterThan(20);
  const lacks = (path: string, headings: readonly string[]): string[] => {
    const html = read(path);
    return headings.filter(it => !html.includes(`>${it}</h3>`));
  };
  expect([lacks('proto/openapi.html', operations), lacks('proto/asyncapi.html', messages)]).toEqual([[], []]);
});

it('tells models what there is to read, in llms.txt, as Markdown', () => {
  const text = read('llms.txt');
  expect(text).toMatch(/^# crossbook\n\n> .+\.\n\n## /);
  const links = [...text.matchAll(/^- \[.+?\]\((.+?)\): .+\.$/gm)].map(([, link]) => link!);
  expect(links).toEqual(expect.arrayContaining(['docs/PROTOCOL.md', 'proto/openapi.md']));
  expect(links).toHaveLength(text.match(/^- /gm)!.length);
  for (const link of links) expect([link, existsSync(join(folder, link))]).toEqual([link, true]);
});

describe('in a browser', () => {
  const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  let browser: BrowserPage;
  beforeAll(async () => {
    browser = await BrowserPage.start();
    await browser.page.context().setOffline(true);
  });
  afterAll(() => browser.close());
  const open = (path: string) => browser.open(`${pathToFileURL(folder)}/${path}`);

  it.each([
    ['light', 390],
    ['dark', 390],
    ['light', 1_440],
    ['dark', 1_440],
  ] as const)(
    'has no serious finding of axe, and nothing wider than the screen: %s, %i pixels',
    async (colorScheme, width) => {
      const { page } = browser;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      for (const path of [
        'index.html',
        'docs/PAGE.html',
        'docs/LIMITS.html',
        'docs/RELAY.html',
        'docs/adr/README.html',
      ]) {
        await open(path);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width);
        await page.evaluate(axeSource);
        const findings = await page.evaluate<
          readonly string[]
        >(`axe.run({ preload: false }).then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => id + ' ' + nodes.map(it => it.html).slice(0, 3).join(' ')))`);
        expect(findings, path).toEqual([]);
      }
    },
  );

  it('finds a section by its words, from another page, and goes there', async () => {
    const { page } = browser;
    await open('docs/adr/README.html');
    await page.keyboard.press('/');
    await page.keyboard.type('v1 orders cancel-after');
    await page.locator('#found b').filter({ hasText: 'Protocol: POST /v1/orders/cancel-after' }).click();
    await page.waitForURL(/docs\/PROTOCOL\.html#post-v1orderscancel-after$/);
    await page.locator('#search').fill('no such words anywhere');
    await page.getByText('Nothing has these words.').waitFor();
    expect(browser.complaints).toEqual([]);
  });

  it('keeps the chosen scheme on the next page, and opens its menu on a phone', async () => {
    const { page } = browser;
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 390, height: 844 });
    await open('index.html');
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.locator('#pages').getByRole('link', { name: 'Limits' }).click();
    await page.waitForURL(/LIMITS\.html$/);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(18, 23, 28)');
    expect(await page.locator('#pages').isVisible()).toBe(false);
  });
});

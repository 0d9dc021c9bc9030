// Makes src/tools/page/page.generated.js and page.generated.css, which the gateway serves, from the sources in src/tools/page. Run it
// (`npm run make:page`) after a change there, or in what they import; test/tools/page/bundle.test.ts compares.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');

interface Page {
  readonly script: string;
  readonly style: string;
}

/** Where the generated files are. */
export const PAGE_PATHS: Readonly<Record<keyof Page, string>> = {
  script: join(ROOT, 'src/tools/page/page.generated.js'),
  style: join(ROOT, 'src/tools/page/page.generated.css'),
};

const NOTICE = `/* crossbook's web page, made from src/tools/page by npm run make:page. With preact (MIT, © 2015-present Jason Miller), @preact/signals
(MIT, © 2022-present Preact Team), htm (Apache-2.0, © 2018 Google Inc.) and uPlot (MIT, © 2022 Leon Sorokin). */`;

const COMMON: BuildOptions & { readonly write: false } = {
  absWorkingDir: ROOT,
  bundle: true,
  write: false,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2023',
  legalComments: 'none',
};

/** The text of the generated files. */
export async function makePage(): Promise<Page> {
  const plugins = [onlyUsedFiles, onlyLines, denseTags];
  const script = await build({ ...COMMON, entryPoints: ['src/tools/page/main.ts'], plugins, banner: { js: NOTICE } });
  const style = await build({ ...COMMON, entryPoints: ['src/tools/page/page.css'], banner: { css: NOTICE } });
  return { script: script.outputFiles[0]!.text, style: style.outputFiles[0]!.text };
}

/** Importing a file of ours does nothing by itself, but for tables that it makes for its own functions. */
const onlyUsedFiles: Plugin = {
  name: 'only-used-files',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: false,
    }));
  },
};

/** What uPlot offers as fields of its class cannot be seen to be unused. */
const UNUSED_PLOTS = [
  '(paths.stepped = stepped);',
  '(paths.bars    = bars);',
  '(paths.spline  = monotoneCubic);',
  'uPlot.join = join;',
  'uPlot.fmtDate = fmtDate;',
  'uPlot.tzDate  = tzDate;',
];

/** Throws if another version of uPlot has other fields. */
const onlyLines: Plugin = {
  name: 'only-lines',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/uPlot\.esm\.js$/ }, ({ path }) => {
      let contents = readFileSync(path, 'utf8');
      for (const line of UNUSED_PLOTS) {
        if (!contents.includes(line)) throw new Error(`${path} has no ${line}`);
        contents = contents.replace(line, '');
      }
      return { contents };
    });
  },
};

/** Line breaks and indentation between tags mean nothing to htm, but would be part of the page’s texts. */
const denseTags: Plugin = {
  name: 'dense-tags',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/src\/tools\/page\/(app|[\w-]+-view)\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^\s+/gm, ''),
      loader: 'ts',
    }));
  },
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { script, style } = await makePage();
  writeFileSync(PAGE_PATHS.script, script);
  writeFileSync(PAGE_PATHS.style, style);
}

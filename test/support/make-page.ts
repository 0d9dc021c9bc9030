// Bundles the web page’s script and style, which the gateway serves, from the sources in src/tools/page.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');

const NOTICE = `/* crossbook's web page, made from src/tools/page by npm run make:generated. With preact (MIT, © 2015-present Jason Miller), @preact/signals
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

export async function makeScript(): Promise<string> {
  const plugins = [onlyUsedFiles, onlyLines, denseTags];
  const made = await build({ ...COMMON, entryPoints: ['src/tools/page/main.ts'], plugins, banner: { js: NOTICE } });
  return made.outputFiles[0]!.text;
}

export async function makeStyle(): Promise<string> {
  const made = await build({ ...COMMON, entryPoints: ['src/tools/page/page.css'], banner: { css: NOTICE } });
  return made.outputFiles[0]!.text;
}

/** Tells the bundler that importing a file of ours does nothing by itself, except make tables for the file's own functions. */
const onlyUsedFiles: Plugin = {
  name: 'only-used-files',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\.?\/.*\.ts$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: false,
    }));
  },
};

/** The fields of uPlot's class that the page does not use. No tool can see that fields of a class are unused. */
const UNUSED_PLOTS = [
  '(paths.stepped = stepped);',
  '(paths.bars    = bars);',
  '(paths.spline  = monotoneCubic);',
  'uPlot.join = join;',
  'uPlot.fmtDate = fmtDate;',
  'uPlot.tzDate  = tzDate;',
];

/** Removes the unused fields of uPlot. Throws if another version of uPlot has other fields. */
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

/** Removes line breaks and indentation between tags. htm ignores them, but they would be part of the page’s texts. */
const denseTags: Plugin = {
  name: 'dense-tags',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/src\/tools\/page\/(app|[\w-]+-view)\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/^\s+/gm, ''),
      loader: 'ts',
    }));
  },
};

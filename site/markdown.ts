// Markdown as the forge reads it, to HTML: the same anchors of headings, tables that scroll, and links to pages of the site.

import markdownIt from 'markdown-it';

/** A heading of a page with the words below it, for the search. */
export interface Section {
  readonly anchor: string;
  readonly title: string;
  readonly level: number;
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  readonly sections: readonly Section[];
  /** Where its links and pictures lead, as written. */
  readonly links: readonly string[];
}

const markdown = markdownIt();
type Token = ReturnType<typeof markdown.parse>[number];

const fence = markdown.renderer.rules.fence!;
markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
markdown.renderer.rules.table_close = () => '</table></div>\n';
markdown.renderer.rules.code_block = (tokens, at) =>
  `<pre tabindex="0"><code>${escaped(tokens[at]!.content)}</code></pre>\n`;
markdown.renderer.rules.fence = (...of) => fence(...of).replace('<pre>', '<pre tabindex="0">');

export function escaped(text: string): string {
  return markdown.utils.escapeHtml(text);
}

/** As the forge makes the anchor of a heading. */
export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** `place` says where a link leads on the site; `pageOf` names the page of a file that is named between backticks. */
export function render(
  text: string,
  place: (link: string) => string,
  pageOf: (path: string) => string | undefined,
): Rendered {
  const tokens = markdown.parse(text.replaceAll(/^<!--.*-->$/gm, ''), {});
  const links: string[] = [];
  const sections = sectionsOf(tokens);
  let heading = 0;
  for (const token of tokens) {
    if (token.type === 'heading_open') token.attrSet('id', sections[heading++]!.anchor);
    let isWithinLink = false;
    for (const inner of token.children ?? []) {
      if (inner.type === 'link_open') isWithinLink = true;
      if (inner.type === 'link_close') isWithinLink = false;
      const name = inner.type === 'image' ? 'src' : 'href';
      const target = inner.attrGet(name);
      if (target !== null) {
        links.push(String(target));
        inner.attrSet(name, place(String(target)));
      }
      const page = inner.type === 'code_inline' && !isWithinLink ? pageOf(inner.content) : undefined;
      if (page !== undefined) asLink(inner, page);
    }
  }
  return { html: markdown.renderer.render(tokens, markdown.options, {}), sections, links };
}

function asLink(token: Token, page: string): void {
  const content = `<a href="${page}"><code>${escaped(token.content)}</code></a>`;
  Object.assign(token, { type: 'html_inline', content });
}

function sectionsOf(tokens: readonly Token[]): readonly Section[] {
  const seen = new Map<string, number>();
  const sections: { anchor: string; title: string; level: number; text: string }[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = wordsOf(tokens[at + 1]!);
      const anchor = anchorOf(title);
      const times = seen.get(anchor) ?? 0;
      seen.set(anchor, times + 1);
      const level = Number(token.tag.slice(1));
      sections.push({ anchor: times === 0 ? anchor : `${anchor}-${times}`, title, level, text: '' });
    } else if (tokens[at - 1]?.type !== 'heading_open' && token.content !== '') {
      const last = sections.at(-1);
      if (last !== undefined) last.text += `${wordsOf(token)} `;
    }
  }
  return sections;
}

function wordsOf({ children, content }: Token): string {
  return children === null ? content : children.map(it => (it.type === 'softbreak' ? ' ' : it.content)).join('');
}

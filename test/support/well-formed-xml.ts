// Whether a text is well-formed XML of the plain kind: elements, attributes and text, no declarations, comments or CDATA.

const TAG = /<(\/?)([A-Za-z][\w-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/y;
const TEXT = /[^<]+/y;
const LOOSE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d+);)/;

/** What is wrong with it; null if nothing is. */
export function xmlProblem(text: string): string | null {
  const open: string[] = [];
  let hasRoot = false;
  for (let at = 0; at < text.length; ) {
    TEXT.lastIndex = at;
    const [words = ''] = TEXT.exec(text) ?? [];
    if (words.trim() !== '' && open.length === 0) return `text outside of the root at ${at}`;
    if (LOOSE_AMPERSAND.test(words)) return `a loose & after ${at}`;
    at += words.length;
    if (at === text.length) break;
    TAG.lastIndex = at;
    const [tag, end, name = '', attributes = '', empty] = TAG.exec(text) ?? [];
    if (tag === undefined) return `no tag at ${at}: ${text.slice(at, at + 40)}`;
    const names = [...attributes.matchAll(/([\w:-]+)="/g)].map(it => it[1]);
    if (new Set(names).size < names.length) return `an attribute twice at ${at}`;
    if (LOOSE_AMPERSAND.test(attributes)) return `a loose & at ${at}`;
    at += tag.length;
    if (end === '/') {
      if (open.pop() !== name) return `</${name}> ends nothing before ${at}`;
      continue;
    }
    if (open.length === 0 && hasRoot) return `a second root before ${at}`;
    hasRoot = true;
    if (empty === '') open.push(name);
  }
  if (open.length > 0) return `<${open.at(-1)}> has no end`;
  return hasRoot ? null : 'no element';
}

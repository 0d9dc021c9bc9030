// Which markets have which words: counted, then sorted by word in two passes over numbers. A Map of lists would take ten times the
// memory. Catalog thread.

export interface WordIndex {
  /** In order. */
  readonly words: readonly string[];
  /** Of each word, where its markets begin; and one more, the end. */
  readonly firstPosting: Uint32Array;
  readonly postings: Uint32Array;
}

/** Of markets by their place, each with its words, each word once. */
export function indexWords(wordsOfMarkets: readonly (readonly string[])[]): WordIndex {
  const counts = new Map<string, number>();
  let total = 0;
  for (const words of wordsOfMarkets) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    total += words.length;
  }
  const words = [...counts.keys()].sort();
  const firstPosting = new Uint32Array(words.length + 1);
  /** Where the next market of a word goes. */
  const next = new Map<string, number>();
  for (const [place, word] of words.entries()) {
    next.set(word, firstPosting[place]!);
    firstPosting[place + 1] = firstPosting[place]! + counts.get(word)!;
  }
  const postings = new Uint32Array(total);
  for (const [market, ownWords] of wordsOfMarkets.entries()) {
    for (const word of ownWords) {
      const at = next.get(word)!;
      postings[at] = market;
      next.set(word, at + 1);
    }
  }
  return { words, firstPosting, postings };
}

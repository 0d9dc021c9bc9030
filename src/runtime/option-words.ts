// What Node's parseArgs says of a mistake, in its first sentence: the advice after it is on positionals that begin with a dash,
// which nothing here takes. Any thread.

export function optionWords(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words.replace(/\. To specify a positional .*$/s, '');
}

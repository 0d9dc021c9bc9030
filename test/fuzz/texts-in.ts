// All values that a document states, at any depth: every parsed value must be one of them.

/** Texts, and numbers as text, however deep: to call itself for each level would overflow the stack. */
export function textsIn(body: unknown): ReadonlySet<string> {
  const texts = new Set<string>();
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' || typeof value === 'number') texts.add(String(value));
    else if (typeof value === 'object' && value !== null) left.push(...Object.values(value));
  }
  return texts;
}

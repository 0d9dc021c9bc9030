// All values that a document states, at any depth: every parsed value must be one of them.

/** Returns texts, and numbers as text, at any depth. The function is not recursive, since deep documents would overflow the stack. */
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

// Quotes a caller's own bytes in a message to that caller, as printable ASCII of bounded length. Pure.

/**
 * The text as a quoted JSON string; everything but printable ASCII is escaped. Text longer than `charactersMax`
 * (escapes counted) is cut, with a note.
 */
export function quoteAscii(text: string, charactersMax: number): string {
  let quoted = '';
  for (let at = 0; at < text.length; at++) {
    const next = escapeUnit(text.charCodeAt(at));
    if (quoted.length + next.length > charactersMax)
      return `"${quoted}" (the first ${at} of ${text.length} characters)`;
    quoted += next;
  }
  return `"${quoted}"`;
}

/** One UTF-16 code unit. */
function escapeUnit(unit: number): string {
  if (unit === 0x0a) return '\\n';
  if (unit === 0x22) return '\\"';
  if (unit === 0x5c) return '\\\\';
  if (unit >= 0x20 && unit <= 0x7e) return String.fromCharCode(unit);
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

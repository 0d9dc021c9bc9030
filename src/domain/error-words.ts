// What is told of something that was thrown, be it an Error or not. Pure.

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns a pattern for `like` that matches exactly this text. */
export function escapeLikePattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

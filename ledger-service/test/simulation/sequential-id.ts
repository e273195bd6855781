const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Returns an id with 20 characters. The last ten characters differ between ids, because the
 * reference is derived from them.
 */
export function formatSequentialId(place: number): string {
  let rest = place
  let text = ''
  for (let index = 0; index < 10; index += 1) {
    text = CROCKFORD.charAt(rest % 32) + text
    rest = Math.floor(rest / 32)
  }
  return `${'0'.repeat(10)}${text}`
}

/** A placeholder, with or without spaces inside the braces. */
const SPACED = /\{\{\s*([A-Za-z]+)\s*\}\}/g
/**
 * The site URL, alone or followed by a path. Characters that could change the host are excluded.
 */
const SITE_LINK =
  /(^|[\s("'*])\{\{siteUrl\}\}(?:[/?#](?!\/)[\w/?#&=%-]*(?:\.[\w-]+)*|(?=[\s)"'*]|[.,;:!](?:\s|$)|$))/g
const EAST_ASIAN = '[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}]'
/**
 * Characters that browsers and mail programs treat as a full stop in a host name. Beside a Chinese,
 * Japanese or Korean letter, such a character ends a sentence.
 */
const OTHER_STOPS = new RegExp(`(?<!${EAST_ASIAN})[\\u3002\\uff0e\\uff61](?!${EAST_ASIAN})`, 'gu')
const FOREIGN = [
  /** A URL such as `https://host` or `//host`. */
  /(?:[A-Za-z][A-Za-z0-9+.-]*:)?\/\/\S*/,
  /\bwww\.\S*/i,
  /**
   * A text such as `user@host:port` or `user:password@host/`. An email address alone is allowed.
   */
  /\S+@[\p{L}\p{N}.-]+[:/?#]\S+/u,
  /**
   * A host such as `host.example`, alone or with a path. Mail programs convert such a text to a
   * link. The last label can also be in Punycode, such as `xn--p1ai`.
   */
  /(?<![@/\p{L}\p{N}_.-])[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.(?:\p{L}{2,}|xn--[a-z\d-]+)(?![\p{L}\p{N}@-])\S*/iu,
  /** An IPv4 address, alone or followed by a port or a path. */
  /(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])\S*/u,
] as const
const STRAY = /\S*\{\{siteUrl\}\}\S*/

/**
 * Returns the part of a template that leads to a host other than the host of PUBLIC_URL; null if no
 * part does.
 */
export function findForeignLink(text: string): string | null {
  const rest = text.replaceAll(SPACED, '{{$1}}').replaceAll(SITE_LINK, '$1')
  const [stray] = STRAY.exec(rest) ?? []
  if (stray !== undefined) return stray
  const hosts = rest.replaceAll(OTHER_STOPS, '.')
  for (const pattern of FOREIGN) {
    const found = pattern.exec(hosts)
    // Both texts have the same length, and the administrator reads the characters that they wrote.
    if (found !== null) return rest.slice(found.index, found.index + found[0].length)
  }
  return null
}

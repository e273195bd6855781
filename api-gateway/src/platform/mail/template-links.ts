/** Placeholders may contain spaces inside the braces. */
const SPACED = /\{\{\s*([A-Za-z]+)\s*\}\}/g
/**
 * The site URL, alone or with a path of this site, without characters that could change the host.
 */
const SITE_LINK =
  /(^|[\s("'*])\{\{siteUrl\}\}(?:\{\{path\}\}(?=[\s)"'*]|$)|(?=[/?#\s)"'*]|[.,;:!](?:\s|$)|$))/g
const FOREIGN = [
  /** `https://host` or `//host`. */
  /(?:[A-Za-z][A-Za-z0-9+.-]*:)?\/\/\S*/,
  /\bwww\.\S*/i,
  /** `host.example/path`, which mail programs convert to a link. */
  /(?<![/\w.-])[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\/\S*/,
] as const
const STRAY = /\S*\{\{(siteUrl|path)\}\}\S*/

/**
 * The part of a template that would lead a reader, or the token in a path, to a host other than
 * PUBLIC_URL; null if there is none. `{{path}}` contains the token, so it may only follow the site
 * URL.
 */
export function findForeignLink(text: string): string | null {
  const rest = text.replaceAll(SPACED, '{{$1}}').replaceAll(SITE_LINK, '$1')
  const [stray] = STRAY.exec(rest) ?? []
  if (stray !== undefined) return stray
  for (const pattern of FOREIGN) {
    const [link] = pattern.exec(rest) ?? []
    if (link !== undefined) return link
  }
  return null
}

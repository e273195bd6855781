/** Placeholders may have blanks inside their braces. */
const SPACED = /\{\{\s*([A-Za-z]+)\s*\}\}/g
/** The site's address, alone or with a path of this site, and with nothing that could make it another host. */
const SITE_LINK =
  /(^|[\s("'*])\{\{siteUrl\}\}(?:\{\{path\}\}(?=[\s)"'*]|$)|(?=[/?#\s)"'*]|[.,;:!](?:\s|$)|$))/g
const FOREIGN = [
  /** `https://host`, `//host` */
  /(?:[A-Za-z][A-Za-z0-9+.-]*:)?\/\/\S*/,
  /\bwww\.\S*/i,
  /** `host.example/path`, which mail programs make a link of. */
  /(?<![/\w.-])[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\/\S*/,
] as const
const STRAY = /\S*\{\{(siteUrl|path)\}\}\S*/

/**
 * What of a template would lead a reader, or the token in a path, to another host than PUBLIC_URL; null
 * when nothing does. `{{path}}` carries the token, so it is only let follow the site's own address.
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

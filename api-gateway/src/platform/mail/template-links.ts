/** Placeholders may contain spaces inside the braces. */
const SPACED = /\{\{\s*([A-Za-z]+)\s*\}\}/g
/**
 * The site URL, alone or with a path of this site, without characters that could change the host.
 */
const SITE_LINK =
  /(^|[\s("'*])\{\{siteUrl\}\}(?:[/?#](?!\/)[\w/?#&=%-]*(?:\.[\w-]+)*|(?=[\s)"'*]|[.,;:!](?:\s|$)|$))/g
const FOREIGN = [
  /** `https://host` or `//host`. */
  /(?:[A-Za-z][A-Za-z0-9+.-]*:)?\/\/\S*/,
  /\bwww\.\S*/i,
  /** `user@host:port` or `user:password@host/`; an e-mail address alone is no link to a page. */
  /\S+@[\p{L}\p{N}.-]+[:/?#]\S+/u,
  /** `host.example`, which mail programs convert to a link, alone or with a path. */
  /(?<![@/\p{L}\p{N}_.-])[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}{2,}(?![\p{L}\p{N}@-])\S*/u,
  /** An IP address. */
  /(?<![\p{L}\p{N}.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])\S*/u,
] as const
const STRAY = /\S*\{\{siteUrl\}\}\S*/

/**
 * The part of a template that would lead a reader to a host other than PUBLIC_URL; null if there is
 * none. The token is in no template: the code places the link that contains it.
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

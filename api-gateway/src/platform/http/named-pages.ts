import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { escapeHtml } from '../mail/layout.ts'
import { DEFAULT_SITE_NAME } from '../settings-store/site-name.ts'

/** The parts of a page that search engines, link previews and browsers without scripts read. */
const NAMED_PARTS = /<head>.*?<\/head>|<noscript>.*?<\/noscript>/gs

/** Returns true for a file in which the build writes the name of the site. */
export function hasSiteName(path: string): boolean {
  return ['.html', '.webmanifest'].includes(extname(path))
}

/**
 * Reads a page or the manifest, with `siteName` in place of the name from the build. The visible
 * part of a page keeps the name from the build: hydration must begin with what was prerendered, and
 * the web app then shows `siteName`.
 */
export async function readNamedFile(path: string, siteName: string): Promise<string> {
  const built = await readFile(path, 'utf8')
  if (extname(path) === '.html') {
    const escaped = escapeHtml(siteName)
    return built.replaceAll(NAMED_PARTS, (part) =>
      part.replaceAll(DEFAULT_SITE_NAME, () => escaped),
    )
  }
  const manifest: Record<string, unknown> = JSON.parse(built)
  return JSON.stringify({ ...manifest, name: siteName, short_name: siteName })
}

import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { escapeHtml } from '../mail/layout.ts'
import { DEFAULT_SITE_NAME } from '../settings-store/site-name.ts'

const compress = promisify(gzip)
/** The parts of a page that search engines, link previews and browsers without scripts read. */
const NAMED_PARTS = /<head>.*?<\/head>|<noscript>.*?<\/noscript>/gs

/** A page or the manifest with the name of the site, as text and compressed. */
export interface NamedFile {
  readonly plain: Buffer
  readonly gzipped: Buffer
}

/** Returns true for a file in which the build writes the name of the site. */
export function hasSiteName(path: string): boolean {
  return ['.html', '.webmanifest'].includes(extname(path))
}

/**
 * Returns a function that reads a page or the manifest, with `siteName` in place of the name from
 * the build. Each file is made once for the present name. The visible part of a page keeps the name
 * from the build: hydration must begin with what was prerendered, and the web app then shows
 * `siteName`.
 */
export function createNamedFiles(): (path: string, siteName: string) => Promise<NamedFile> {
  let made: { siteName: string; files: Map<string, Promise<NamedFile>> } | null = null
  return (path, siteName) => {
    if (made?.siteName !== siteName) made = { siteName, files: new Map() }
    const { files } = made
    const known = files.get(path)
    if (known !== undefined) return known
    const file = makeNamedFile(path, siteName)
    files.set(path, file)
    file.catch(() => files.delete(path))
    return file
  }
}

async function makeNamedFile(path: string, siteName: string): Promise<NamedFile> {
  const plain = Buffer.from(nameFile(path, await readFile(path, 'utf8'), siteName))
  return { plain, gzipped: await compress(plain) }
}

function nameFile(path: string, built: string, siteName: string): string {
  if (extname(path) === '.html') {
    const escaped = escapeHtml(siteName)
    return built.replaceAll(NAMED_PARTS, (part) =>
      part.replaceAll(DEFAULT_SITE_NAME, () => escaped),
    )
  }
  const manifest: Record<string, unknown> = JSON.parse(built)
  return JSON.stringify({ ...manifest, name: siteName, short_name: siteName })
}

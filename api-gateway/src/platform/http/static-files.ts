import { createReadStream, type Dirent, existsSync, readdirSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Context, Next } from 'koa'
import { DEFAULT_SITE_NAME } from '../settings-store/site-name.ts'
import { createNamedFiles, hasSiteName, type NamedFile } from './named-pages.ts'

interface StaticFile {
  path: string
  bytes: number
  /** Versions of the file that were compressed at build time. */
  encodings: readonly { name: 'br' | 'gzip'; path: string; bytes: number }[]
}

const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}
/** The page without prerendered content. It renders the view of the requested path. */
const SHELL = '/app.html'
const YEAR_SECONDS = 31_536_000

/**
 * Serves the files of the built site, and a page for every path of the web app. The files are
 * listed once, at the first time that the folder exists. The build must therefore create the folder
 * with all its files at once.
 *
 * A site with a name of its own has that name in the head of its pages and in its manifest.
 */
export function createStaticFiles(folder: string | null, readSiteName: () => Promise<string>) {
  const readNamedFile = createNamedFiles()
  let listed = listFilesIfPresent(folder)

  return async (ctx: Context, next: Next): Promise<void> => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    listed ??= listFilesIfPresent(folder)
    if (listed === null) return next()
    const files = listed
    const file =
      files.get(ctx.path) ?? (isPagePath(ctx.path) ? findPage(files, ctx.path) : undefined)
    if (file === undefined) return next()
    if (hasSiteName(file.path)) {
      const siteName = await readSiteName()
      if (siteName !== DEFAULT_SITE_NAME) {
        ctx.type = getMediaType(file)
        return sendNamedFile(ctx, await readNamedFile(file.path, siteName))
      }
    }
    sendFile(ctx, file)
  }
}

function sendNamedFile(ctx: Context, { plain, gzipped }: NamedFile): void {
  ctx.set('Cache-Control', 'no-cache')
  ctx.vary('Accept-Encoding')
  const isCompressed = isAccepted(ctx, 'gzip')
  if (isCompressed) ctx.set('Content-Encoding', 'gzip')
  ctx.body = isCompressed ? gzipped : plain
}

function getMediaType(file: StaticFile): string {
  return MEDIA_TYPES[extname(file.path)] ?? 'application/octet-stream'
}

function listFilesIfPresent(folder: string | null): ReadonlyMap<string, StaticFile> | null {
  if (folder === null) return new Map()
  return existsSync(folder) ? listFiles(folder) : null
}

/**
 * Returns the prerendered page of the path. If the path has no prerendered page, returns the page
 * without content.
 */
function findPage(files: ReadonlyMap<string, StaticFile>, path: string): StaticFile | undefined {
  return files.get(path === '/' ? '/index.html' : `${path}.html`) ?? files.get(SHELL)
}

/**
 * Returns true for a path without a file extension. A missing file must answer 404 and not a page.
 */
function isPagePath(path: string): boolean {
  return extname(path) === ''
}

function sendFile(ctx: Context, file: StaticFile): void {
  const chosen = file.encodings.find(({ name }) => isAccepted(ctx, name))
  const isHashed = ctx.path.startsWith('/assets/')
  ctx.set('Cache-Control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
  if (file.encodings.length > 0) ctx.vary('Accept-Encoding')
  if (chosen !== undefined) ctx.set('Content-Encoding', chosen.name)
  ctx.type = getMediaType(file)
  ctx.length = chosen?.bytes ?? file.bytes
  ctx.status = 200
  if (ctx.method === 'GET') ctx.body = createReadStream(chosen?.path ?? file.path)
}

function isAccepted(ctx: Context, encoding: string): boolean {
  const accepted = ctx.get('Accept-Encoding').split(',')
  return accepted.some((item) => {
    const [name, quality] = item.trim().split(';')
    return name === encoding && !/^\s*q=0(\.0*)?$/.test(quality ?? '')
  })
}

function listFiles(folder: string): Map<string, StaticFile> {
  const entries: Dirent[] = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = new Map<string, StaticFile>()
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || path.endsWith('.br') || path.endsWith('.gz')) continue
    const url = `/${relative(folder, path).split(sep).join('/')}`
    files.set(url, { path, bytes: statSync(path).size, encodings: findEncodings(path) })
  }
  return files
}

function findEncodings(path: string): StaticFile['encodings'] {
  const candidates = [
    { name: 'br' as const, path: `${path}.br` },
    { name: 'gzip' as const, path: `${path}.gz` },
  ]
  return candidates
    .filter((candidate) => existsSync(candidate.path))
    .map((candidate) => ({ ...candidate, bytes: statSync(candidate.path).size }))
}

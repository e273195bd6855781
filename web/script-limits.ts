import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

type Chunk = { code: string; imports: readonly string[] }
type Chunks = ReadonlyMap<string, Chunk>

const ENTRY = 'index.html'
/** The script that every page loads before its first paint. It is copied, not bundled. */
const THEME = 'public/theme.js'

/** The maximum size of the scripts that a page needs before it is shown, in bytes with gzip. */
export const SCRIPT_LIMITS = {
  landing: {
    page: 'the landing page',
    bytesMax: 110_000,
    modules: [ENTRY, 'src/features/site/landing-page.tsx'],
  },
  signedIn: {
    page: 'the first signed-in page',
    bytesMax: 200_000,
    modules: [
      ENTRY,
      'src/app/manage-routes.ts',
      'src/app/layouts/manage-layout.tsx',
      'src/features/dashboard/investor-page.tsx',
    ],
  },
} as const

/** Fails the build if a page needs more scripts than its limit. */
export function createScriptLimitPlugin(): Plugin {
  let root = '.'
  return {
    name: 'cairn-script-limits',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved: (config) => {
      root = config.root
    },
    writeBundle(_options, bundle) {
      const chunks = new Map<string, Chunk>()
      const names = new Map<string, string>()
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        chunks.set(file.fileName, file)
        if (file.facadeModuleId !== null) names.set(file.facadeModuleId, file.fileName)
      }
      for (const { page, bytesMax, modules } of Object.values(SCRIPT_LIMITS)) {
        const needed = modules.map((module) => {
          const name = names.get(join(root, module))
          return name ?? this.error(`${module} is not a chunk of its own`)
        })
        const theme = measureGzip(readFileSync(join(root, THEME), 'utf8'))
        const bytes = theme + sumScripts(chunks, needed)
        const text = `${page} needs ${bytes} bytes of JavaScript (gzip), at most ${bytesMax}`
        if (bytes > bytesMax) this.error(text)
        this.info(text)
      }
    },
  }
}

/** Returns the size with gzip of the chunks and of all chunks that they import. */
export function sumScripts(chunks: Chunks, names: readonly string[]): number {
  const needed = new Set<string>()
  const add = (name: string) => {
    if (needed.has(name)) return
    needed.add(name)
    for (const next of chunks.get(name)?.imports ?? []) add(next)
  }
  for (const name of names) add(name)
  let bytes = 0
  for (const name of needed) bytes += measureGzip(chunks.get(name)?.code ?? '')
  return bytes
}

function measureGzip(code: string): number {
  return gzipSync(code, { level: 9 }).length
}

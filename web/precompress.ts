import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|html|svg|txt)$/
/** The minimum size in bytes. Compressed copies of smaller files would not be smaller. */
const SIZE_MIN_BYTES = 256

/** Writes `.br` and `.gz` beside each text asset, so the gateway never compresses while serving. */
export function createPrecompressPlugin(): Plugin {
  let folder = 'dist'
  return {
    name: 'cairn-precompress',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved: (config) => {
      folder = resolve(config.root, config.build.outDir)
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      handler: () => {
        for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
          if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue
          const path = join(entry.parentPath, entry.name)
          const bytes = readFileSync(path)
          if (bytes.length < SIZE_MIN_BYTES) continue
          writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
          const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
          writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
        }
      },
    },
  }
}

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'

type Renderer = typeof import('./src/prerender.tsx')

const FONTS = /^(inter|source-serif-4)-latin-wght-normal-.*\.woff2$/
const EMPTY_ROOT = '<div id="root"></div>'

/**
 * Writes each public page as HTML at build time, so that the page is visible before the script has
 * loaded. All other pages use the empty `app.html`.
 */
export function createPrerenderPlugin(): Plugin {
  let root = '.'
  let folder = 'dist'
  return {
    name: 'cairn-prerender',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && isSsrBuild !== true,
    configResolved: (config) => {
      root = config.root
      folder = resolve(config.root, config.build.outDir)
    },
    writeBundle: {
      order: 'pre',
      sequential: true,
      handler: async () => {
        const shell = await readFile(join(folder, 'index.html'), 'utf8')
        if (!shell.includes(EMPTY_ROOT)) throw new Error(`index.html has no ${EMPTY_ROOT}`)
        const { prerenderedPages, renderPage } = await buildRenderer(root)
        const preloaded = await addFontPreloads(shell, folder)
        await writeFile(join(folder, 'app.html'), preloaded)
        const page = lowerScripts(preloaded)
        for (const { path, prerender } of prerenderedPages) {
          const kind = prerender === 'outline' ? 'outline' : 'whole'
          const attributes = `data-drawn="${kind}"${prerender === 'readable' ? '' : ' inert'}`
          const drawn = `<div id="root" ${attributes}>${await renderPage(path)}</div>`
          const file = join(folder, `${path === '/' ? 'index' : path}.html`)
          await mkdir(dirname(file), { recursive: true })
          // The replacement is a function, because `$` has a special meaning in a replacement
          // string.
          await writeFile(
            file,
            page.replace(EMPTY_ROOT, () => drawn),
          )
        }
      },
    },
  }
}

/**
 * Makes the browser load the fonts together with the styles. A font that arrives after the first
 * text is not used on the first page.
 */
async function addFontPreloads(shell: string, folder: string): Promise<string> {
  const fonts = (await readdir(join(folder, 'assets'))).filter((name) => FONTS.test(name))
  if (fonts.length !== 2) throw new Error(`two fonts are read first, not ${fonts.join(', ')}`)
  const preloads = fonts.map(
    (name) =>
      `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${name}" />`,
  )
  return shell.replace('<link rel="stylesheet"', () => `${preloads.join('')}<link rel="stylesheet"`)
}

/** Makes the browser load the fonts before the script of a page that shows text without it. */
function lowerScripts(page: string): string {
  return page.replaceAll(
    /<(script type="module"|link rel="modulepreload")/g,
    '<$1 fetchpriority="low"',
  )
}

/**
 * Bundles the renderer and loads the bundle. The bundle is next to `node_modules`, so that it can
 * import the packages that are not part of the bundle.
 */
async function buildRenderer(root: string): Promise<Renderer> {
  const outDir = join(root, 'node_modules', `.prerender-${process.pid}`)
  await build({
    root,
    logLevel: 'warn',
    build: {
      ssr: 'src/prerender.tsx',
      outDir,
      emptyOutDir: true,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const renderer: Renderer = await import(pathToFileURL(join(outDir, 'prerender.js')).href)
  await rm(outDir, { recursive: true })
  return renderer
}

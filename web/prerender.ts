import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'

/** What can be read, and followed by its links, before any script has come. */
const READ = ['/', '/about_us', '/services', '/investment', '/faqs', '/risk', '/status']
/** Their forms do nothing before their script has come, so until then they take nothing. */
const FILLED_IN = ['/contact_us']
/** What they begin with depends on the address and on what the browser keeps: they are drawn anew. */
const OUTLINED = ['/users/login', '/users/register', '/users/forgotPassword']
const FONTS = /^(inter|source-serif-4)-latin-wght-normal-.*\.woff2$/
const EMPTY_ROOT = '<div id="root"></div>'

/**
 * Draws the public pages once, so that they stand before the script has come. Each becomes a file by
 * its path; `app.html` is the empty page of all others.
 */
export function prerender(): Plugin {
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
        const renderPage = await buildRenderer(root)
        await writeFile(join(folder, 'app.html'), shell)
        const page = await readingFirst(shell, folder)
        for (const path of [...READ, ...FILLED_IN, ...OUTLINED]) {
          const kind = OUTLINED.includes(path) ? 'outline' : 'whole'
          const attributes = `data-drawn="${kind}"${READ.includes(path) ? '' : ' inert'}`
          const drawn = `<div id="root" ${attributes}>${await renderPage(path)}</div>`
          const file = join(folder, `${path === '/' ? 'index' : path}.html`)
          await mkdir(dirname(file), { recursive: true })
          // As a function: the text may have a dollar sign in it.
          await writeFile(
            file,
            page.replace(EMPTY_ROOT, () => drawn),
          )
        }
      },
    },
  }
}

/** Where the words are there already, their letters come before the script. */
async function readingFirst(shell: string, folder: string): Promise<string> {
  const fonts = (await readdir(join(folder, 'assets'))).filter((name) => FONTS.test(name))
  if (fonts.length !== 2) throw new Error(`two fonts are read first, not ${fonts.join(', ')}`)
  const preloads = fonts.map(
    (name) =>
      `<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/${name}" />`,
  )
  return shell
    .replaceAll(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
    .replace('<link rel="stylesheet"', () => `${preloads.join('')}<link rel="stylesheet"`)
}

/** Beside the packages, where the built file finds those that it does not contain. */
async function buildRenderer(root: string): Promise<(path: string) => Promise<string>> {
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
  const { renderPage } = await import(pathToFileURL(join(outDir, 'prerender.js')).href)
  await rm(outDir, { recursive: true })
  return renderPage
}

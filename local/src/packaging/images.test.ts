import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../environment.ts'

const IMAGES = ['api-gateway', 'ledger-service', 'migrations', 'local']
const readText = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8')

/** Returns the ends of the names of fonts that the image of the gateway keeps. */
function listKeptFonts(dockerfile: string): readonly string[] {
  return [...dockerfile.matchAll(/! -name '\*(-\w+)\.otf'/g)].map(([, end = '']) => end)
}

/** Returns the fonts of documents that the image lacks. */
function listMissingFonts(kept: readonly string[]): readonly string[] {
  const source = readText('api-gateway', 'src', 'features', 'documents', 'fonts.ts')
  const names = [...source.matchAll(/findNotoFont\('\w+', '([\w-]+)'\)/g)].map(([, it = '']) => it)
  if (names.length < 4) throw new Error('the fonts of documents were not found')
  return names.filter((name) => !kept.some((end) => name.endsWith(end)))
}

test('the image of the gateway keeps each font that a document uses', () => {
  expect(listMissingFonts(listKeptFonts(readText('api-gateway', 'Dockerfile')))).toEqual([])
})

test('sabotaged twin: a font that is not kept is reported', () => {
  expect(listMissingFonts(['-Regular'])).toContain('NotoSansKR-Bold')
})

/** Returns the ends of the names of scripts that a Dockerfile deletes from the packages. */
function listDeletedEnds(dockerfile: string): readonly string[] {
  return [...dockerfile.matchAll(/(?<!! )-name '\*(\.[\w.]*js)'/g)].map(([, end = '']) => end)
}

/** Lists deleted scripts that another script in the same folder loads. */
function listNeededScripts(ends: readonly string[]): readonly string[] {
  const packages = join(ROOT, 'node_modules')
  const deleted = readdirSync(packages, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ends.some((end) => entry.name.endsWith(end)))
    .map(({ parentPath, name }) => join(parentPath, name))
  return deleted.filter((file) => {
    const others = readdirSync(dirname(file)).filter((name) => /\.[cm]?js$/.test(name))
    const wanted = `require('./${basename(file, '.js')}')`
    return others.some((name) => readFileSync(join(dirname(file), name), 'utf8').includes(wanted))
  })
}

test.each(IMAGES)('the image %s keeps each script that a package loads', (name) => {
  expect(listNeededScripts(listDeletedEnds(readText(name, 'Dockerfile')))).toEqual([])
})

test('sabotaged twin: a deleted script that a package loads is reported', () => {
  const deleting = "find node_modules -name '*.map' -o -name '*.min.js' ! -name '*.core.js' -delete"
  expect(listDeletedEnds(deleting)).toEqual(['.min.js'])
  expect(listNeededScripts(['.min.js']).map((file) => basename(file))).toContain('lodash.min.js')
})

/** Lists what the image of a Dockerfile begins with and which users run it. */
function readLastStage(dockerfile: string): { base: string; users: readonly string[] } {
  const lines = dockerfile.split('\n')
  const last = lines.findLastIndex((line) => line.startsWith('FROM '))
  const users = lines.slice(last).filter((line) => line.startsWith('USER '))
  return { base: lines[last] ?? '', users }
}

test.each(IMAGES)('the image %s has no shell, and runs as a user without rights', (name) => {
  const text = readText(name, 'Dockerfile')
  expect(readLastStage(text)).toEqual({ base: 'FROM scratch', users: ['USER node'] })
  // Each earlier stage uses the base that the operator names.
  const bases = text.split('\n').filter((line) => line.startsWith('FROM '))
  for (const base of bases.slice(0, -1)) expect(base).toMatch(/^FROM \$\{NODE_IMAGE\} AS \w+$/)
})

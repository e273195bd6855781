import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../environment.ts'

const IMAGES = ['api-gateway', 'ledger-service', 'local', 'migrations']
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

test.each(IMAGES)(
  'the image %s runs as a user without rights, on the base that is named',
  (name) => {
    const lines = readText(name, 'Dockerfile').split('\n')
    const last = lines.findLastIndex((line) => line.startsWith('FROM '))
    expect(lines[last]).toMatch(/^FROM \$\{NODE_IMAGE\}$/)
    expect(lines.slice(last).filter((line) => line.startsWith('USER '))).toEqual(['USER node'])
  },
)

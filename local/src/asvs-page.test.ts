import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './environment.ts'

const COLUMNS = 4
/** The path of a test file, and optionally a part of the title of one of its tests. */
const TEST = /`([^`]+\.test\.ts)`(?: \("([^"]+)"\))?/g
/**
 * A regular expression for the title of a test: the first argument of a call whose second argument
 * is a function or an object.
 */
const TITLE = /\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,\s*(?:async\s*)?[({]/g
const NUMBER = /\b\d+\.\d+\.\d+\b/

function listRows(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && NUMBER.test(line.split('|')[1] ?? ''))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

function listTitles(file: string): readonly string[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(TITLE)].map(([, , title = '']) => title)
}

/** Lists the rows with an empty or missing cell, and the named tests that do not exist. */
function listWrongRows(text: string): readonly string[] {
  return listRows(text).flatMap((cells) => {
    const [numbers = '', , , shown = ''] = cells
    if (cells.length !== COLUMNS || cells.includes('')) return [numbers]
    return [...shown.matchAll(TEST)]
      .filter(([, file = '', word = '']) => {
        if (!existsSync(join(ROOT, file))) return true
        return !listTitles(file).some((title) => title.includes(word))
      })
      .map(([named]) => `${numbers}: ${named}`)
  })
}

test('every row names tests that exist, with a part of a title, or a reason', () => {
  const text = readFileSync(join(ROOT, 'docs', 'asvs.md'), 'utf8')
  expect(listRows(text).length).toBeGreaterThan(90)
  expect(listWrongRows(text)).toEqual([])
  const numbers = listRows(text).map(([number]) => number)
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('sabotaged twin: a missing file, another title and an empty cell are found', () => {
  const own = '`local/src/asvs-page.test.ts`'
  const text = [
    '| requirement | asks | Cairn | test |',
    `| 1.1.1 (2) | a | b | ${own} ("sabotaged twin"), ${own} |`,
    '| 1.1.2 (2) | a | b | `local/src/missing.test.ts` |',
    `| 1.1.3 (2) | a | b | ${own} ("no title has this"), ${own} |`,
    '| 1.1.4 (2) | a | b | |',
    '| 1.1.5 (2) | a | No test: a reason |',
  ].join('\n')
  expect(listWrongRows(text)).toEqual([
    '1.1.2 (2): `local/src/missing.test.ts`',
    `1.1.3 (2): ${own} ("no title has this")`,
    '1.1.4 (2)',
    '1.1.5 (2)',
  ])
})

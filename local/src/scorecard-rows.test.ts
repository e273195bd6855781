import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './environment.ts'
import { ATTACK_ROWS } from './scorecard-attacks.ts'
import { CONTROL_ROWS } from './scorecard-controls.ts'
import { IDENTITY_ROWS } from './scorecard-identity.ts'
import { SCORECARD, type ScorecardRow } from './scorecard-rows.ts'
import { WORK_ROWS } from './scorecard-work.ts'

const ROWS = [...SCORECARD, ...IDENTITY_ROWS, ...ATTACK_ROWS, ...CONTROL_ROWS, ...WORK_ROWS]
/** The title of a call of `test`, `describe` or, after a table of cases, `each`. */
const TITLE =
  /(?:\b(?:test|describe)(?:\.\w+)*(?:<[^(]*>)?\(|\)\()\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/gs
/** A part of a title that differs from run to run. */
const VARIABLE = /\$\{[^}]*\}|%[sdi]|\$\w+|\d[\d,]*/g

function listTitles(file: string): readonly string[] {
  const source = readFileSync(join(ROOT, file), 'utf8')
  return [...source.matchAll(TITLE)].map(([, , title = '']) => replaceVariables(title))
}

function replaceVariables(title: string): string {
  return title.replaceAll(VARIABLE, '#').replaceAll('\\', '')
}

/**
 * True if a test of the file has a full name that starts with the title. The full name is the title
 * of the test, after the titles of the groups that contain it.
 */
function isFound(file: string, title: string): boolean {
  const titles = listTitles(file)
  const names = titles.flatMap((outer) => [outer, ...titles.map((inner) => `${outer} ${inner}`)])
  return names.some((name) => name.startsWith(replaceVariables(title)))
}

test.each(ROWS)('the tests of row $id exist', ({ file, title, control }: ScorecardRow) => {
  const wanted = [title, control?.title].filter((each) => each !== undefined)
  expect(wanted.filter((each) => !isFound(file, each))).toEqual([])
})

test('sabotaged twin: a title that no test has is found', () => {
  const [{ file } = { file: '' }] = ROWS
  expect(isFound(file, 'a title of no test')).toBe(false)
})

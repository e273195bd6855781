import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '..', 'sql')
const RULE = 'each `alter table` has one subcommand, and each constraint that it adds has a name'

/**
 * Returns the `alter table` statements that have several subcommands or add a constraint without a
 * name. Under a lock, several subcommands take effect together, and a constraint without a name has
 * another name on each server, so that no later migration can name it.
 */
function findFaults(sql: string): readonly string[] {
  return listStatements(sql)
    .filter((statement) => /^alter table\b/i.test(statement))
    .filter(
      (statement) =>
        removeNested(statement).includes(',') ||
        /\badd (check|unique|primary key|foreign key|exclude)\b/i.test(statement) ||
        /\badd (column )?(?!constraint\b).*\b(check|unique|references|primary key)\b/is.test(
          removeNested(statement),
        ),
    )
}

function listStatements(sql: string): readonly string[] {
  const code = sql
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--.*$/gm, '')
  return code.split(';').map((statement) => statement.trim())
}

/** Removes everything between brackets, because a comma there does not separate subcommands. */
function removeNested(statement: string): string {
  const inner = statement.replaceAll(/\([^()]*\)/g, '')
  return inner === statement ? statement : removeNested(inner)
}

test.each(readdirSync(FOLDER))(`in %s, ${RULE}`, (file) => {
  expect(findFaults(readFileSync(join(FOLDER, file), 'utf8'))).toEqual([])
})

test.each([
  ['alter table a add column b int, add column c int'],
  ['alter table a add check (b > 0)'],
  ['alter table a add column b int check (b > 0)'],
  ['ALTER TABLE a ADD COLUMN b int REFERENCES c (id)'],
])('%s is a fault', (statement) => {
  expect(findFaults(`${statement};`)).toEqual([statement])
})

test.each([
  ['alter table a add constraint b check (c in (1, 2))'],
  ["alter table a add column b text default 'x, y'"],
  ['alter table a alter column b type numeric(10, 2)'],
  ["comment on table a is 'alter table a add check (b), c'"],
])('%s is no fault', (statement) => {
  expect(findFaults(`${statement};`)).toEqual([])
})

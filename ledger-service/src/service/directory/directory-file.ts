import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { requireDatabaseTls } from '@cairn/service-kit/database-tls'
import { readSecretFile } from '@cairn/service-kit/secret-files'
import { z } from 'zod'
import { LEDGERS_MAX, listLedgers, type Place } from './place.ts'

const PLACES_MAX = 100

/** The account with which a program connects to each place. */
export type DirectoryRole = 'cairn_ledger' | 'cairn_auditor'

const LedgerNumber = z.int().min(1).max(LEDGERS_MAX)
/** One ledger, or the ledgers from the first number to the second one. */
export const LedgerRange = z.union(
  [
    LedgerNumber.transform((ledger) => [ledger]),
    z
      .string()
      .regex(/^\d{1,4}-\d{1,4}$/)
      .transform((text) => text.split('-').map(Number))
      .pipe(z.tuple([LedgerNumber, LedgerNumber]))
      .refine(([first, last]) => first < last)
      .transform(([first, last]) =>
        Array.from({ length: last - first + 1 }, (_, index) => first + index),
      ),
  ],
  { error: `must be a ledger from 1 to ${LEDGERS_MAX}, or a range such as "1-16"` },
)
const DatabaseUrl = z
  .url({ protocol: /^postgres(ql)?$/ })
  .refine(
    (text) => URL.parse(text)?.username === '' && URL.parse(text)?.password === '',
    'must contain no account and no password: each program connects as its own role, with the password in passwordFile',
  )
const PlaceForm = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must consist of a-z, 0-9 and -'),
  url: DatabaseUrl,
  /** A server that copies the database of this place, as LEDGER_READ_URL. */
  readUrl: DatabaseUrl.optional(),
  /** `{role}` in the name stands for the role that connects. */
  passwordFile: z.string().min(1).optional(),
  ledgers: z.array(LedgerRange).transform((ranges) => ranges.flat().toSorted((a, b) => a - b)),
})
type PlaceForm = z.infer<typeof PlaceForm>
const DirectoryForm = z.strictObject({
  places: z.array(PlaceForm).min(1).max(PLACES_MAX).superRefine(requireEachOnce),
})

/**
 * Reads the places from the file that LEDGER_DIRECTORY names. Each program connects with its own
 * role. Throws an Error that says what is wrong with the file.
 */
export function readDirectoryFile(file: string, role: DirectoryRole): readonly Place[] {
  return parseDirectory(readText(file), { file, role })
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new Error(`LEDGER_DIRECTORY names ${file}, which cannot be read (${code})`)
  }
}

function parseDirectory(
  text: string,
  { file, role }: { file: string; role: DirectoryRole },
): readonly Place[] {
  const parsed = DirectoryForm.safeParse(parseJson(text, file))
  if (!parsed.success) {
    throw new Error(`the directory ${file} is invalid: ${z.prettifyError(parsed.error)}`)
  }
  return parsed.data.places.map((place) => openPlace(place, { file, role }))
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`the directory ${file} is not JSON`)
  }
}

function openPlace(
  { name, url, readUrl, passwordFile, ledgers }: PlaceForm,
  { file, role }: { file: string; role: DirectoryRole },
): Place {
  const setting = `place ${name} of LEDGER_DIRECTORY`
  const password =
    passwordFile === undefined
      ? ''
      : readSecretFile(
          `passwordFile of ${setting}`,
          resolve(dirname(file), passwordFile.replaceAll('{role}', role)),
        )
  const connect = (text: string) => {
    const whole = new URL(text)
    whole.username = role
    whole.password = password
    return requireDatabaseTls(setting, whole.href)
  }
  return {
    name,
    databaseUrl: connect(url),
    readUrl: readUrl === undefined ? null : connect(readUrl),
    ledgers,
  }
}

function requireEachOnce(places: readonly PlaceForm[], context: z.RefinementCtx): void {
  const names = places.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) context.addIssue(`two places have the name ${twice}`)
  const problem = findLedgerProblem(listLedgers(places))
  if (problem !== null) context.addIssue(problem)
}

/** The ledgers must have the numbers from 1 on, because workers know only their count. */
function findLedgerProblem(ledgers: readonly number[]): string | null {
  for (const [index, ledger] of ledgers.entries()) {
    if (ledger === ledgers[index - 1]) return `ledger ${ledger} is named twice`
    if (ledger !== index + 1) return `no place holds ledger ${index + 1}`
  }
  return ledgers.length === 0 ? 'no place holds a ledger' : null
}

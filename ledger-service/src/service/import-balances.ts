import {
  type Answer,
  type Asset,
  type Command,
  type DryRunAnswer,
  LINKED_COMMANDS_MAX,
} from '@cairn/ledger-contracts'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Writer } from '../log/writer.ts'
import { openLogKey } from '../proofs/log-keys.ts'
import { readKeys } from '../proofs/signing-key.ts'
import { readCurrency } from '../queries/accounts/currency.ts'
import type { ServeConfig } from './config.ts'
import { connectPlaceOf } from './connect-places.ts'
import { openLedger } from './ledger.ts'
import type { OpeningFile, OpeningLine } from './opening-file.ts'
import { requireStopped } from './require-stopped.ts'

type Importing = Pick<
  ServeConfig,
  | 'places'
  | 'origin'
  | 'checkpointDir'
  | 'signingKeyPem'
  | 'signingKeyFile'
  | 'clock'
  | 'durability'
>

export interface ImportedBalances {
  /** The problems of the file. If the file has problems, nothing was recorded. */
  readonly problems: readonly string[]
  /** The number of lines that this call recorded. */
  readonly recorded: number
  /** The number of lines that calls before this call had recorded. */
  readonly repeated: number
  /** A map from the code of each account `opening` whose balance is not zero to this balance. */
  readonly openMinor: ReadonlyMap<string, bigint>
  /** The asset of accounts whose code contains no asset. */
  readonly currency: Asset
}

/** The number of lines that are decided together before anything is recorded. */
const DRY_RUNS_AT_ONCE = 200
/** Refusals that concern the file and not one line. */
const OF_FILE: readonly string[] = ['IMPORT_NOT_PERMITTED', 'IMPORT_CLOSED']

/**
 * Imports a file of opening balances while no ledger service runs. All lines are decided before the
 * first line is recorded. Up to 100 lines are recorded together or not at all. If the import of a
 * longer file is interrupted, a second call with this file continues the import. The ledger
 * compares each recorded line with the file and records no line twice.
 */
export async function importBalances(
  config: Importing,
  {
    ledger,
    file,
    isDryRun,
    log,
  }: { ledger: number; file: OpeningFile; isDryRun: boolean; log: Logger },
): Promise<ImportedBalances> {
  const { places, origin, checkpointDir, clock, durability } = config
  const pems = await readKeys(config)
  const { ledgers, own, close } = await connectPlaceOf(ledger, { places, name: 'ledger-import' })
  const { databaseUrl, pool, lock } = own
  try {
    await requireStopped(
      lock,
      ledgers.map((reached) => reached.ledger),
    )
    const key = await openLogKey(pool, { ledger, pems, origin })
    const place = { ledger, databaseUrl, pool, checkpointDir }
    const { writer, stop } = openLedger({ ...place, key, clock, log, durability })
    try {
      const done = await readImportedLine(pool, { ledger, sha256: file.sha256 })
      const refused = await listRefusedLines(writer, file, done)
      const problems = [...file.problems, ...refused]
      const nothing = { problems, recorded: 0, repeated: 0 }
      const counts =
        problems.length > 0 || isDryRun
          ? nothing
          : { problems, ...(await recordLines(writer, file)) }
      const openMinor = await readOpenBalances(pool, ledger)
      return { ...counts, openMinor, currency: await readCurrency(pool, ledger) }
    } finally {
      await stop()
    }
  } finally {
    await close()
  }
}

/** Returns the number of the last line that is recorded, or 0. */
async function readImportedLine(
  pool: pg.Pool,
  { ledger, sha256 }: { ledger: number; sha256: string },
): Promise<number> {
  const { rows } = await pool.query<{ line: number }>(
    'select line from ledger.imported_file where ledger_id = $1 and file_sha256 = $2',
    [ledger, sha256],
  )
  return rows[0]?.line ?? 0
}

/** Decides each line that is not recorded yet, and returns one sentence for each refusal. */
async function listRefusedLines(
  writer: Writer,
  file: OpeningFile,
  done: number,
): Promise<readonly string[]> {
  const problems = new Set<string>()
  const open = file.lines.filter(({ line }) => line > done)
  for (let at = 0; at < open.length; at += DRY_RUNS_AT_ONCE) {
    const lines = open.slice(at, at + DRY_RUNS_AT_ONCE)
    const answers = await Promise.all(
      lines.map((line) => writer.submitDryRun([toImportCommand(file, line)], 'interactive')),
    )
    for (const [index, answer] of answers.entries()) {
      const problem = describeProblem(answer?.[0])
      if (problem === null) continue
      problems.add(problem.isOfFile ? problem.text : `line ${lines[index]?.line}: ${problem.text}`)
    }
  }
  return [...problems]
}

function describeProblem(
  answer: DryRunAnswer | undefined,
): { text: string; isOfFile: boolean } | null {
  if (answer === undefined) throw new Error('the ledger is busy')
  if (answer.outcome === 'accepted') return null
  return { text: answer.message, isOfFile: OF_FILE.includes(answer.code) }
}

/**
 * Records the lines in groups. The groups and keys depend only on the file, so a second call
 * records no line twice.
 */
async function recordLines(
  writer: Writer,
  file: OpeningFile,
): Promise<{ recorded: number; repeated: number }> {
  let [recorded, repeated] = [0, 0]
  for (let at = 0; at < file.lines.length; at += LINKED_COMMANDS_MAX) {
    const lines = file.lines.slice(at, at + LINKED_COMMANDS_MAX)
    const commands = lines.map((line) => toImportCommand(file, line))
    const answers = (await writer.submitLinked(commands, 'interactive')) ?? []
    for (const [index, { line }] of lines.entries()) {
      if (requireRecorded(answers[index], { line, done: recorded + repeated })) repeated += 1
      else recorded += 1
    }
  }
  return { recorded, repeated }
}

/** Throws unless the line is recorded. Returns true if an earlier call had already recorded it. */
function requireRecorded(
  answer: Answer | undefined,
  { line, done }: { line: number; done: number },
): boolean {
  if (answer?.outcome === 'recorded') return answer.isReplay
  throw new Error(
    `line ${line} was not recorded: ${answer?.message ?? 'the ledger is busy'}; ${done} lines are ` +
      'recorded, and a repetition continues after them',
  )
}

/** Returns the command of a line. The command and its key depend only on the file and the line. */
export function toImportCommand({ sha256, lines }: OpeningFile, line: OpeningLine): Command {
  const lastLine = lines.at(-1)?.line ?? line.line
  return {
    type: 'ImportBalance',
    data: { fileSha256: sha256, lastLine, ...line },
    actor: 'system:server',
    key: `import:${sha256}:${line.line}`,
    requestId: null,
    effectiveAt: null,
  }
}

async function readOpenBalances(
  pool: pg.Pool,
  ledger: number,
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await pool.query<{ account: string; minor: string }>(
    `select account, balance_minor::text as minor from ledger.balance
     where ledger_id = $1 and balance_minor <> 0
       and (account = 'opening' or account like 'opening@%')
     order by account`,
    [ledger],
  )
  return new Map(rows.map(({ account, minor }) => [account, BigInt(minor)]))
}

import { AuditLineForm } from '@cairn/ledger-contracts'
import {
  type AuditLine,
  type ChainChecker,
  type ChainProblem,
  createChainChecker,
} from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { LINE_BYTES_MAX } from '../proofs/export.ts'
import { readLines } from '../proofs/line-bytes.ts'
import { listAuditSeals } from '../queries/explorer/audit-seals.ts'
import type { Output } from './output.ts'

const SEALS_PER_READ = 1_000

/**
 * Compares an exported audit log with the seals in the ledger. The file must contain the whole
 * audit log, the sealed rows first and in order.
 */
export async function verifyAuditFile(
  pool: pg.Pool,
  { ledger, file, output }: { ledger: number; file: string; output: Output },
): Promise<boolean> {
  const checker = createChainChecker()
  await addAllSeals(pool, { ledger, checker })
  const { unchained, misplaced } = await checkRows(file, checker)
  const problem = misplaced ?? checker.finish()
  const { place, seal } = checker
  const found = { rows: place.position, unchained, seal, problem }
  const sealed =
    seal === null
      ? 'no seal covers a row of this file'
      : `rows 1 to ${seal.count} are sealed in event ${seal.seq} at ${seal.sealedAt}`
  output.printResult(found, [
    `${place.position} rows match their hashes`,
    sealed,
    `rows after the last seal: ${place.position - (seal?.count ?? 0) + unchained}`,
    problem === null ? 'no difference found' : problem.message,
  ])
  return problem === null
}

async function addAllSeals(
  pool: pg.Pool,
  { ledger, checker }: { ledger: number; checker: ChainChecker },
): Promise<void> {
  for (let after: bigint | null = null; ; ) {
    const seals = await listAuditSeals(pool, { ledger, after, limit: SEALS_PER_READ })
    checker.expectSeals(seals)
    const last = seals.at(-1)
    if (last === undefined || seals.length < SEALS_PER_READ) return
    after = last.seq
  }
}

/**
 * Checks each row, up to the first problem. `unchained` is the number of rows that are not in the
 * chain yet. These rows are at the end of the file; `misplaced` names a row of the chain after them,
 * because they could otherwise be inserted anywhere.
 */
async function checkRows(
  file: string,
  checker: ChainChecker,
): Promise<{ unchained: number; misplaced: ChainProblem | null }> {
  let unchained = 0
  let line = 0
  for await (const bytes of readLines(file, { maxBytes: LINE_BYTES_MAX })) {
    line += 1
    const text = bytes.toString('utf8')
    if (text === '') continue
    const row = parseLine(text, line)
    if (row.position === null && row.hash === null) {
      unchained += 1
    } else if (unchained > 0) {
      const position = row.position ?? checker.place.position + 1
      const message =
        `row ${position}, in line ${line}, comes after a row without a position: ` +
        'such rows are only at the end of an exported audit log'
      return { unchained, misplaced: { position, message } }
    } else if (!checker.add(row)) break
  }
  return { unchained, misplaced: null }
}

function parseLine(text: string, line: number): AuditLine {
  try {
    return AuditLineForm.parse(JSON.parse(text))
  } catch (error) {
    throw new Error(`line ${line} is not a row of an exported audit log`, { cause: error })
  }
}

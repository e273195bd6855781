import {
  getCashAccount,
  importStatement,
  listMatchCandidates,
  matchStatements,
  previewStatement,
  type StatementColumns,
  toAmount,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createInvalidFieldFailure, HttpFailure } from '../../platform/http/failure.ts'
import type { ReceivedFile } from '../../platform/http/multipart.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { readCashAccount, requireOptionName } from './account.ts'
import { listCandidates } from './lines.ts'
import { createBankListRoutes } from './list-routes.ts'
import { matchLines } from './matching.ts'
import { createPairRoutes, getLine } from './pair-routes.ts'
import { type ReadStatement, readStatement } from './read-statement.ts'
import { listBankStatements } from './statements.ts'
import { storeStatement } from './store.ts'

const SAMPLE_MAX = 10
const reading = { rate: 'read', owner: 'any', audit: null } as const

/**
 * Creates the routes that compare bank statements with the cash accounts of the ledger. These
 * routes move no money.
 */
export function createBankStatementRoutes(deps: Dependencies): readonly Route[] {
  const { db } = deps
  return [
    declareRoute(getCashAccount, reading, async ({ params }) => ({
      account: await readCashAccount(deps, params.option),
    })),
    createPreviewRoute(deps),
    createImportRoute(deps),
    ...createBankListRoutes(deps),
    declareRoute(
      matchStatements,
      { rate: 'write', owner: 'any', audit: 'bank-statement.match' },
      async ({ params }, exchange) => {
        await requireOptionName(deps, params.option)
        const matched = await matchLines(db, { ...params, nowMs: exchange.nowMs })
        exchange.note({ subject: params.option, matched })
        return { matched }
      },
    ),
    declareRoute(listMatchCandidates, reading, async ({ params }) => {
      const found = await getLine(db, params.id)
      return { line: found.line, candidates: await listCandidates(db, found) }
    }),
    ...createPairRoutes(deps),
  ]
}

function createPreviewRoute(deps: Pick<Dependencies, 'db'>): Route {
  const free = { audit: null, needsFreshFactor: false } as const
  const options = { rate: 'write', owner: 'any', ...free } as const
  return declareRoute(previewStatement, options, async ({ params, body }, { file }) => {
    await requireOptionName(deps, params.option)
    const read = readFile(file, body)
    const { openingMinor, closingMinor } = read
    return {
      preview: {
        headings: [...read.headings],
        columns: { ...read.columns },
        problem: read.problem,
        isDayOrderOpen: read.isDayOrderOpen,
        lines: read.lines.length,
        sample: read.lines.slice(0, SAMPLE_MAX).map(({ day, amountMinor, reference }) => ({
          day,
          amount: toAmount(amountMinor),
          reference,
        })),
        opening: openingMinor === null ? null : toAmount(openingMinor),
        closing: closingMinor === null ? null : toAmount(closingMinor),
      },
    }
  })
}

function createImportRoute(deps: Pick<Dependencies, 'db'>): Route {
  const options = { rate: 'write', owner: 'any', audit: 'bank-statement.import' } as const
  return declareRoute(importStatement, options, async ({ params, body }, exchange) => {
    const { option } = params
    await requireOptionName(deps, option)
    const read = readFile(exchange.file, body)
    if (read.problem !== null || exchange.file === null) {
      throw new HttpFailure(422, 'STATEMENT_UNREADABLE', read.problem ?? 'Choose a file')
    }
    const { subjectId: id, nowMs } = exchange
    const { bytes } = exchange.file
    const { userId: importedBy } = getCaller(exchange)
    const { linesAdded } = await storeStatement(deps.db, {
      id,
      option,
      bytes,
      read,
      importedBy,
      nowMs,
    })
    const matched = await matchLines(deps.db, { option, nowMs })
    const [statement] = await listBankStatements(deps.db, { option, id })
    if (statement === undefined) throw new Error(`statement ${id} was stored but not found`)
    const { fileSha256, firstDay, lastDay } = statement
    exchange.note({
      subject: option,
      statement: id,
      firstDay,
      lastDay,
      linesAdded,
      matched,
      fileSha256,
    })
    return { statement, matched }
  })
}

function readFile(file: ReceivedFile | null, columns: StatementColumns): ReadStatement {
  if (file === null) throw createInvalidFieldFailure('file', 'Choose the statement as a CSV file')
  return readStatement(file.bytes, toColumns(columns))
}

/** Narrows the type: the schema has already converted the values to numbers. */
function toColumns({
  date,
  amount,
  debit,
  credit,
  reference,
  balance,
  dayOrder,
}: StatementColumns) {
  const places = { date, amount, debit, credit, reference, balance }
  const named = Object.entries(places).flatMap(([name, place]) =>
    place === undefined ? [] : [[name, Number(place)]],
  )
  return { ...Object.fromEntries(named), ...(dayOrder === undefined ? {} : { dayOrder }) }
}

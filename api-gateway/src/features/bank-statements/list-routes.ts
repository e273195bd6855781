import {
  type BankLine,
  type BankStatement,
  type CashMovement,
  exportBankLines,
  exportOpenMovements,
  exportStatements,
  listBankLines,
  listOpenMovements,
  listStatements,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Columns, createListRoutes, toSinglePage } from '../../platform/http/list-export.ts'
import type { Route } from '../../platform/http/registry.ts'
import { requireOptionName } from './account.ts'
import { listLines, listMovements } from './lines.ts'
import { listBankStatements } from './statements.ts'

export function createBankListRoutes(deps: Pick<Dependencies, 'db'>): readonly Route[] {
  return [...createLineRoutes(deps), ...createMovementRoutes(deps), ...createStatementRoutes(deps)]
}

const LINES: Columns<BankLine> = {
  Day: ({ day }) => day,
  Amount: ({ amount }) => amount.toFixed(2),
  'Bank description': ({ reference }) => reference,
  Matched: ({ match }) => match !== null,
  Event: ({ match }) => match?.movement.seq ?? null,
  'Event type': ({ match }) => match?.movement.type ?? null,
  'Event reference': ({ match }) => match?.movement.reference ?? null,
  Difference: ({ match }) => match?.difference.toFixed(2) ?? null,
  'Matched by': ({ match }) => (match === null ? null : (match.person?.name ?? 'The platform')),
  'Matched at': ({ match }) => match?.at ?? null,
  Reason: ({ match }) => match?.reason ?? null,
}

function createLineRoutes(deps: Pick<Dependencies, 'db'>): readonly Route[] {
  return createListRoutes({
    list: listBankLines,
    read: async ({ params, query }) => {
      await requireOptionName(deps, params.option)
      const { state, after, limit } = query
      const { lines, next } = await listLines(deps.db, { ...params, state, after, limit })
      return { lines, meta: { next } }
    },
    csv: {
      endpoint: exportBankLines,
      fileName: 'bank-lines.csv',
      audit: 'bank-statement.export',
      columns: LINES,
      toRequest: ({ params, query }, { limit, after }) => ({
        params,
        query: { ...query, limit, after },
      }),
      toPage: ({ lines, meta }) => ({ rows: lines, next: meta.next }),
    },
  })
}

const MOVEMENTS: Columns<CashMovement> = {
  Day: ({ day }) => day,
  Event: ({ seq }) => seq,
  Type: ({ type }) => type,
  Reference: ({ reference }) => reference,
  Amount: ({ amount }) => amount.toFixed(2),
}

function createMovementRoutes(deps: Pick<Dependencies, 'db'>): readonly Route[] {
  return createListRoutes({
    list: listOpenMovements,
    read: async ({ params, query }) => {
      await requireOptionName(deps, params.option)
      const { after, limit } = query
      const { movements, next } = await listMovements(deps.db, { ...params, after, limit })
      return { movements, meta: { next } }
    },
    csv: {
      endpoint: exportOpenMovements,
      fileName: 'only-in-the-ledger.csv',
      audit: 'bank-statement.export',
      columns: MOVEMENTS,
      toRequest: ({ params }, { limit, after }) => ({ params, query: { limit, after } }),
      toPage: ({ movements, meta }) => ({ rows: movements, next: meta.next }),
    },
  })
}

const STATEMENTS: Columns<BankStatement> = {
  'First day': ({ firstDay }) => firstDay,
  'Last day': ({ lastDay }) => lastDay,
  Lines: ({ lines }) => lines,
  'New lines': ({ linesAdded }) => linesAdded,
  Opening: ({ opening }) => opening?.toFixed(2) ?? null,
  'Ledger opening balance': ({ booksOpening }) => booksOpening.toFixed(2),
  Closing: ({ closing }) => closing?.toFixed(2) ?? null,
  'Ledger closing balance': ({ booksClosing }) => booksClosing.toFixed(2),
  'Imported by': ({ person }) => person?.name ?? null,
  'Imported at': ({ importedAt }) => importedAt,
  'SHA-256': ({ fileSha256 }) => fileSha256,
}

function createStatementRoutes(deps: Pick<Dependencies, 'db'>): readonly Route[] {
  return createListRoutes({
    list: listStatements,
    read: async ({ params }) => {
      await requireOptionName(deps, params.option)
      return { statements: await listBankStatements(deps.db, { option: params.option }) }
    },
    csv: {
      endpoint: exportStatements,
      fileName: 'bank-statements.csv',
      audit: 'bank-statement.export',
      columns: STATEMENTS,
      toRequest: (request) => request,
      toPage: ({ statements }) => toSinglePage(statements),
    },
  })
}

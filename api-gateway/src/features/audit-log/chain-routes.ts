import { Readable } from 'node:stream'
import { checkAuditChain, exportAuditChain } from '@cairn/gateway-contracts'
import type { AuditLine } from '@cairn/ledger-contracts/proof'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createFileRoute, declareRoute, type Route } from '../../platform/http/registry.ts'
import { checkChain } from './chain-check.ts'
import { readChain, readUnchainedRows } from './chain-rows.ts'

const ROWS_PER_READ = 1_000
/**
 * Maximum number of rows without a chain position in an export. The number of such rows reaches
 * this maximum only if no sealer is running.
 */
const UNCHAINED_MAX = 100_000

export function createChainRoutes(deps: Dependencies): readonly Route[] {
  return [
    declareRoute(
      checkAuditChain,
      { rate: 'write', owner: 'any', audit: null },
      async ({ query: { after, afterSeal } }) => ({
        chain: await checkChain(deps, { after, afterSeal: afterSeal ?? null }),
      }),
    ),
    createFileRoute(
      exportAuditChain,
      { rate: 'write', owner: 'any', audit: 'audit.export', isExport: true },
      async (_request, exchange) => {
        exchange.note({ format: 'jsonl' })
        return {
          mediaType: 'application/x-ndjson',
          bytes: Readable.from(readAuditLines(deps.db)),
          fileName: 'audit.jsonl',
          isDownload: true,
        }
      },
    ),
  ]
}

async function* readAuditLines(db: Database): AsyncGenerator<string> {
  let after = 0
  for (let isFull = true; isFull; ) {
    const rows = await readChain(db, { after, limit: ROWS_PER_READ })
    yield* rows.map(toLine)
    after = rows.at(-1)?.position ?? after
    isFull = rows.length === ROWS_PER_READ
  }
  yield* (await readUnchainedRows(db, UNCHAINED_MAX)).map(toLine)
}

function toLine(row: AuditLine): string {
  return `${JSON.stringify(row)}\n`
}

import {
  addSiteLedger,
  editSiteLedger,
  listSiteLedgers,
  type SiteLedger,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'
import { declareRoute, type Exchange, type Route } from '../../platform/http/registry.ts'
import {
  isChangeNeeded,
  type RequestDependencies,
  requestChange,
} from '../change-requests/index.ts'
import { createLedgerChange, type LedgerPayload } from './ledger-change.ts'
import { presentLedgers } from './present-ledgers.ts'
import {
  addLedger,
  closeLedger,
  findLedger,
  getLedger,
  openLedger,
  requireAddable,
  requireReady,
} from './site-ledgers.ts'

type LedgerDependencies = RequestDependencies & Pick<Dependencies, 'connectLedger'>

/** Creates the routes that show the ledgers of the site, add one, and open or close one. */
export function createLedgerRoutes(deps: LedgerDependencies): readonly Route[] {
  const { db } = deps
  const write = { rate: 'write', owner: 'any', needsFreshFactor: true } as const
  return [
    declareRoute(
      listSiteLedgers,
      { rate: 'read', owner: 'any', audit: null },
      async (_request, { nowMs }) => ({ ledgers: await presentLedgers(deps, nowMs) }),
    ),
    declareRoute(addSiteLedger, { ...write, audit: 'ledger.add' }, async ({ body }, exchange) => {
      const { number, name, reason = null } = body
      const isAdded = async () => (await findLedger(db, number))?.name === name
      if (!(exchange.isRepetition && (await isAdded()))) {
        await requireAddable(deps, number)
        await requestIfNeeded(deps, exchange, { payload: { change: 'add', number, name }, reason })
        const adding = db.transaction().execute((trx) => addLedger(trx, body, exchange.nowMs))
        await adding.catch(async (error: unknown) => {
          // Another request with this key can add the ledger at the same time.
          if (exchange.key === null || !(await isAdded())) throw error
        })
      }
      exchange.note({ subject: `ledger ${number}`, name })
      return { ledger: await presentLedger(deps, number, exchange.nowMs) }
    }),
    declareRoute(
      editSiteLedger,
      { ...write, audit: 'ledger.edit' },
      async ({ params: { number }, body: { isOpen, reason = null } }, exchange) => {
        const { nowMs } = exchange
        const row = await getLedger(db, number)
        const { name } = row
        if (isOpen && !row.is_open) {
          await requireReady(db, row, nowMs)
          await requestIfNeeded(deps, exchange, {
            payload: { change: 'open', number, name },
            reason,
          })
          await db.transaction().execute((trx) => openLedger(trx, number))
        }
        if (!isOpen && row.is_open) {
          await db.transaction().execute((trx) => closeLedger(trx, number))
        }
        exchange.note({ subject: `ledger ${number}`, status: isOpen ? 'open' : 'closed' })
        return { ledger: await presentLedger(deps, number, nowMs) }
      },
    ),
  ]
}

/** Stores a change request and throws 409 if the change needs a second administrator. */
async function requestIfNeeded(
  deps: LedgerDependencies,
  exchange: Exchange,
  { payload, reason }: { payload: LedgerPayload; reason: string | null },
): Promise<void> {
  const definition = createLedgerChange(deps)
  if (!(await isChangeNeeded(deps, definition))) return
  const fields = [payload.change === 'add' ? 'number' : 'isOpen']
  const proposal = { payload, reason, fields, errors: 'list' } as const
  throw await requestChange(deps, exchange, { definition, proposal })
}

async function presentLedger(
  deps: LedgerDependencies,
  number: number,
  nowMs: number,
): Promise<SiteLedger> {
  const found = (await presentLedgers(deps, nowMs)).find((one) => one.number === number)
  if (found === undefined) throw createNotFoundFailure('There is no such ledger')
  return found
}

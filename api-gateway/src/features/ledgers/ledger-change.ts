import { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type ChangeDefinition, toTextLine } from '../change-requests/index.ts'
import {
  addLedger,
  findLedger,
  getLedger,
  openLedger,
  requireAddable,
  requireReady,
} from './site-ledgers.ts'

const LedgerPayload = z.strictObject({
  change: z.enum(['add', 'open']),
  number: z.int(),
  name: z.string(),
})
export type LedgerPayload = z.infer<typeof LedgerPayload>

const Before = z.strictObject({ name: z.string(), isOpen: z.boolean() }).nullable()

/**
 * Creates the definition of the change that adds a ledger or opens it for new people. Both widen
 * where money is, so one administrator does not make them alone while dual control is required.
 */
export function createLedgerChange(
  deps: Pick<Dependencies, 'connectLedger'>,
): ChangeDefinition<LedgerPayload> {
  return {
    kind: 'ledger',
    payload: LedgerPayload,
    permission: { propose: 'settings.write', approve: 'settings.write' },
    isNeeded: 'with-dual-control',
    getTarget: ({ number }) => `ledger-${number}`,
    getTitle: ({ change, number, name }) =>
      change === 'add' ? `New ledger ${number}: ${name}` : `Ledger ${number}: open for new people`,
    getLink: () => '/manage/admin/ledgers',
    listBeneficiaries: () => [],
    readBefore: async (db, { number }) => {
      const row = await findLedger(db, number)
      return row === null ? null : { name: row.name, isOpen: row.is_open }
    },
    describeChange: async ({ change, number, name }, before) => {
      const known = Before.parse(before)
      if (change === 'add') {
        return [
          toTextLine('Ledger', { after: `${number}: ${name}` }),
          toTextLine('Effect', {
            after: 'Gets the plans, rules and approvers of the first ledger, and no people yet',
          }),
        ]
      }
      const toWord = (isOpen: boolean | undefined) => (isOpen === true ? 'Open' : 'Closed')
      return [
        toTextLine('Ledger', { before: `${number}: ${name}`, after: `${number}: ${name}` }),
        toTextLine('New people', { before: toWord(known?.isOpen), after: 'Open' }),
      ]
    },
    execute: async ({ trx, payload, nowMs }) => {
      const { change, number } = payload
      if (change === 'add') {
        await requireAddable({ ...deps, db: trx }, number)
        return addLedger(trx, payload, nowMs)
      }
      await requireReady(trx, await getLedger(trx, number), nowMs)
      return openLedger(trx, number)
    },
  }
}

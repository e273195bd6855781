import { formatReference } from '@cairn/ledger-contracts'
import { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  createCommandChange,
  describePerson,
  toMaskableLine,
  toMoneyLine,
  toTextLine,
} from '../change-requests/index.ts'

/** Creates the definition of the change that ends a running investment early. */
export function createDenialChange(deps: Pick<Dependencies, 'db' | 'ledger'>) {
  const findInvestment = async (investmentId: string) =>
    (await deps.ledger.ask('investment', { investmentId })).investment
  return createCommandChange(deps, {
    kind: 'investment-denial',
    type: 'DenyInvestment',
    permission: 'investments.deny',
    getTarget: ({ investmentId }) => investmentId,
    getTitle: ({ investmentId }) => `End of investment ${formatReference(investmentId)}`,
    getLink: ({ investmentId }) => `/manage/admin/investments?investment=${investmentId}`,
    listBeneficiaries: async ({ investmentId }) => {
      const found = await findInvestment(investmentId)
      return found === null ? [] : [found.investorId]
    },
    readBefore: async ({ investmentId }) => (await findInvestment(investmentId))?.status ?? null,
    present: async ({ investmentId, reason }, before) => {
      const found = await findInvestment(investmentId)
      const person = found === null ? null : await describePerson(deps.db, found.investorId)
      const principal = found?.principalMinor ?? null
      return [
        toMaskableLine('User', { before: person, after: person }),
        toMoneyLine('Principal', { before: principal, after: principal }),
        toTextLine('Status', { before: z.string().nullable().parse(before), after: 'denied' }),
        toTextLine('Reason', { after: reason }),
      ]
    },
  })
}

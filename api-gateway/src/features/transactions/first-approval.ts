import {
  type Command,
  commandData,
  type LedgerTransaction,
  refusals,
} from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { formatMoney } from '../../platform/site-format.ts'
import { describeCashAccount } from './cash-account.ts'

export type ApprovalCommand = Extract<Command, { type: 'ApproveDeposit' | 'ApproveWithdrawal' }>

/** What an administrator states about a payment. Null is what the administrator leaves out. */
export interface StatedPayment {
  payoutReference: string | null
  payoutOption: string | null
}

interface SecondApproval {
  /** The command of the second administrator alone. */
  command: ApprovalCommand
  found: LedgerTransaction
  stated: StatedPayment
}

/**
 * Throws 409 if the second administrator states something else than the first approval, because the
 * second approval carries out the first one. A reference or an account that is left out is no
 * difference. An amount that is left out is the requested amount. Otherwise an administrator who
 * does not see the first approval would approve any amount that it names. `payload` is the stored
 * content of the first approval.
 */
export async function requireFirstApproval(
  deps: Pick<Dependencies, 'clock' | 'db'>,
  payload: string,
  { command, found, stated }: SecondApproval,
): Promise<void> {
  // The cast is safe because the payload of a command has its data, which a schema parses below.
  const { data } = JSON.parse(payload) as { data: unknown }
  const { payoutReference, payoutOption } = stated
  switch (command.type) {
    case 'ApproveDeposit': {
      const first = commandData.ApproveDeposit.parse(data)
      if (first.approvedMinor !== command.data.approvedMinor) {
        throw createAmountDiffersFailure(first.approvedMinor)
      }
      const account = first.paymentOptionId ?? found.paymentOptionId
      await requireSameAccount(deps, { first: account, stated: payoutOption })
      return
    }
    case 'ApproveWithdrawal': {
      const first = commandData.ApproveWithdrawal.parse(data)
      // The hash is that of the present account. The money would go to another account than the one
      // that the first administrator saw.
      if (first.bankAccountSha256 !== command.data.bankAccountSha256) {
        const [code, message] = refusals.bankAccountChanged
        throw new HttpFailure(409, code, message)
      }
      await requireSameAccount(deps, { first: first.paymentOptionId, stated: payoutOption })
      if (payoutReference === null || payoutReference === first.payoutReference) return
      throw createDetailsDifferFailure(
        first.payoutReference === null
          ? 'no payout reference'
          : `the payout reference ${first.payoutReference}`,
      )
    }
  }
}

async function requireSameAccount(
  deps: Pick<Dependencies, 'clock' | 'db'>,
  { first, stated }: { first: string | null; stated: string | null },
): Promise<void> {
  if (stated === null || stated === first) return
  throw createDetailsDifferFailure(`the account ${await describeCashAccount(deps, first)}`)
}

function createAmountDiffersFailure(approvedMinor: bigint): HttpFailure {
  const message = `The first approval was for ${formatMoney(approvedMinor)}. Approve exactly that amount, or decline the request.`
  return new HttpFailure(409, 'APPROVAL_DIFFERS', message)
}

function createDetailsDifferFailure(details: string): HttpFailure {
  const message = `The first approval has ${details}. Leave this field out, or reject the first approval on the page Approvals.`
  return new HttpFailure(409, 'APPROVAL_DIFFERS', message)
}

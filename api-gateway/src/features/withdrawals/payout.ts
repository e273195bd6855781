import type { PayoutForm } from '@cairn/gateway-contracts'
import type { Refused } from '@cairn/ledger-contracts'
import type { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { type Exchange, getCaller } from '../../platform/http/registry.ts'
import { isRecorded } from '../../platform/ledger-client/recorded-request.ts'
import { toTargetFailure } from '../../platform/ledger-client/refusal.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { toLedgerWallet } from '../../platform/ledger-client/wallet-name.ts'
import { formatMoney } from '../../platform/site-format.ts'
import { getOwnBankAccount, requireUsable } from '../banks/index.ts'
import { requireNoCredentialHold } from '../passwords/index.ts'

/**
 * Requests a payout for an investor whose account is not active and who therefore cannot request
 * the payout. The payout goes to a bank account that the investor added, so that an administrator
 * cannot choose where the money goes. Returns the id of the transaction, which two administrators
 * must approve. The repetition of a recorded request returns the id without any check.
 */
export async function requestPayout(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  exchange: Exchange,
  { investorId, form }: { investorId: string; form: z.output<typeof PayoutForm> },
): Promise<string> {
  const { subjectId: transactionId, nowMs } = exchange
  const request = { transactionId, investorId, requestedMinor: form.amount, receiptId: null }
  if (await isRecorded(deps.ledger, exchange, request)) return transactionId
  await requireNoCredentialHold(deps.db, { userId: investorId, nowMs })
  const id = form.bank_id
  const bankAccount = await getOwnBankAccount(deps.db, { userId: investorId, id, nowMs })
  requireUsable(bankAccount)
  await submit(
    deps.ledger,
    {
      type: 'RequestWithdrawal',
      data: {
        transactionId,
        investorId,
        source: toLedgerWallet(form.wallet_type),
        amountMinor: form.amount,
        bankAccountId: bankAccount.id,
        bankAccountSha256: bankAccount.sha256,
      },
      actor: `admin:${getCaller(exchange).userId}`,
      key: exchange.key,
      requestId: exchange.requestId,
      effectiveAt: null,
    },
    toPayoutFailure,
  )
  return transactionId
}

function toPayoutFailure(refused: Refused): HttpFailure | null {
  const { code, message, details } = refused
  if (code === 'INVESTOR_NOT_ACTIVE') return new HttpFailure(409, code, message)
  if (code !== 'INSUFFICIENT_FUNDS') return toTargetFailure(refused)
  const available = formatMoney(BigInt(details.availableMinor ?? 0))
  return new HttpFailure(422, code, `At most ${available} can be paid out of this wallet`)
}

import type { WithdrawalForm } from '@cairn/gateway-contracts'
import type { Refused } from '@cairn/ledger-contracts'
import type { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { requireFreshFactor } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { type Exchange, getCaller } from '../../platform/http/registry.ts'
import { isRecorded } from '../../platform/ledger-client/recorded-request.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { toLedgerWallet } from '../../platform/ledger-client/wallet-name.ts'
import { readPolicy } from '../../platform/settings-store/policy.ts'
import { formatMoney } from '../../platform/site-format.ts'
import { getOwnBankAccount, requireUsable } from '../banks/index.ts'
import { requireNoCredentialHold } from '../passwords/index.ts'
import { toLimitFailure } from './limits.ts'

/**
 * Requests a withdrawal; the ledger then holds the money. Returns the transaction id. The repetition
 * of a recorded request returns it without any check.
 */
export async function requestWithdrawal(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'settings' | 'sharedRates'>,
  exchange: Exchange,
  form: z.output<typeof WithdrawalForm>,
): Promise<string> {
  const caller = getCaller(exchange)
  const { userId } = caller
  const { subjectId: transactionId } = exchange
  const request = {
    transactionId,
    investorId: userId,
    requestedMinor: form.amount,
    receiptId: null,
  }
  if (await isRecorded(deps.ledger, exchange, request)) return transactionId
  requireFreshFactor(await readPolicy(deps.settings), { caller, nowMs: exchange.nowMs })
  await requireNoCredentialHold(deps.db, { userId, nowMs: exchange.nowMs })
  await deps.sharedRates.takeMoneyRequest(userId)
  const { nowMs } = exchange
  const bankAccount = await getOwnBankAccount(deps.db, { userId, id: form.bank_id, nowMs })
  requireUsable(bankAccount)
  await submit(
    deps.ledger,
    {
      type: 'RequestWithdrawal',
      data: {
        transactionId,
        investorId: userId,
        source: toLedgerWallet(form.pay_option),
        amountMinor: form.amount,
        bankAccountId: bankAccount.id,
        bankAccountSha256: bankAccount.sha256,
      },
      actor: `user:${userId}`,
      key: exchange.key,
      requestId: exchange.requestId,
      effectiveAt: null,
    },
    toWithdrawalFailure,
  )
  return transactionId
}

function toWithdrawalFailure(refusal: Refused): HttpFailure | null {
  const { code, details } = refusal
  if (code === 'AMOUNT_BELOW_MINIMUM') {
    const minimum = formatMoney(BigInt(details.minimumMinor ?? 0))
    return new HttpFailure(422, code, `Minimum withdrawal is ${minimum}`)
  }
  if (code === 'INSUFFICIENT_FUNDS') {
    const available = formatMoney(BigInt(details.availableMinor ?? 0))
    return new HttpFailure(422, code, `Insufficient balance. You can withdraw up to ${available}.`)
  }
  if (refusal.code === 'WITHDRAWAL_LIMIT') return toLimitFailure(refusal)
  return null
}

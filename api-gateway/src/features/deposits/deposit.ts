import type { DepositForm } from '@cairn/gateway-contracts'
import type { Refused } from '@cairn/ledger-contracts'
import type { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type BlobStore, deriveFileId } from '../../platform/files/blob-store.ts'
import { createInvalidFieldFailure, HttpFailure } from '../../platform/http/failure.ts'
import { type Exchange, getCaller } from '../../platform/http/registry.ts'
import { isRecorded } from '../../platform/ledger-client/recorded-request.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { formatMoney } from '../../platform/site-format.ts'
import { resolvePaymentOption } from '../payment-options/index.ts'
import { requirePaymentHash, storePaymentHash } from './payment-hash.ts'
import { findIssuedReference, markReferenceUsed, requireIssuedFor } from './reference.ts'

/**
 * Stores the receipt, then requests the deposit from the ledger. Returns the transaction id. The
 * repetition of a recorded request returns it without any check.
 */
export async function requestDeposit(
  deps: Dependencies & { blobs: BlobStore },
  exchange: Exchange,
  form: z.output<typeof DepositForm>,
): Promise<string> {
  const { userId } = getCaller(exchange)
  const { file, nowMs, subjectId } = exchange
  if (file === null) throw createInvalidFieldFailure('receipt', 'Please provide receipt')
  const { reference } = form
  const issued =
    reference === undefined ? null : await findIssuedReference(deps.db, { reference, userId })
  const transactionId = issued?.transactionId ?? subjectId
  const upload = { ownerId: userId, purpose: 'receipt', received: file.bytes } as const
  const request = {
    transactionId,
    investorId: userId,
    requestedMinor: form.amount,
    receiptId: deriveFileId(upload),
  }
  const markUsed = async () => {
    if (issued !== null) await markReferenceUsed(deps.db, { transactionId, nowMs })
  }
  if (await isRecorded(deps.ledger, exchange, request)) {
    await markUsed()
    return transactionId
  }
  await deps.sharedRates.takeMoneyRequest(userId)
  const paymentOptionId = await resolvePaymentOption(deps, {
    payOption: form.pay_option,
    paymentOptionId: form.payment_option_id,
  })
  if (reference !== undefined) requireIssuedFor(issued, paymentOptionId)
  const { pay_option: payOption, tx_hash } = form
  const hash = await requirePaymentHash(deps, { hash: tx_hash, payOption, paymentOptionId })
  const receipt = await deps.blobs.put({ ...upload, nowMs })
  await storePaymentHash(deps, { transactionId, userId, hash, nowMs })
  await submit(
    deps.ledger,
    {
      type: 'RequestDeposit',
      data: {
        transactionId,
        investorId: userId,
        amountMinor: form.amount,
        method: form.pay_option,
        paymentOptionId,
        receiptId: receipt.id,
        receiptSha256: receipt.sha256,
      },
      actor: `user:${userId}`,
      key: exchange.key,
      requestId: exchange.requestId,
      effectiveAt: null,
    },
    toDepositFailure,
  ).catch(async (error: unknown) => {
    if (isReferenceUsed(error)) await markUsed()
    throw error
  })
  await markUsed()
  return transactionId
}

function isReferenceUsed(error: unknown): boolean {
  return error instanceof HttpFailure && error.code === 'REFERENCE_USED'
}

function toDepositFailure({ code, details }: Refused): HttpFailure | null {
  if (code === 'ID_ALREADY_USED') {
    const message =
      'A deposit with this reference exists already. Load the page again for a new reference.'
    return new HttpFailure(409, 'REFERENCE_USED', message)
  }
  if (code !== 'AMOUNT_BELOW_MINIMUM') return null
  const minimum = formatMoney(BigInt(details.minimumMinor ?? 0))
  return new HttpFailure(422, code, `Minimum deposit is ${minimum}`)
}

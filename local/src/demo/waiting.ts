import { createMyTransaction } from '@cairn/gateway-contracts'
import type { LedgerClient } from '@cairn/ledger-contracts'
import { drawReceipt } from './receipt.ts'
import { signIn } from './site-client.ts'
import type { StoryOption, StoryReceipt } from './stage.ts'

const AMOUNTS = [750, 1_250, 300, 2_400] as const

/**
 * Requests deposits of today through the API, and uploads a receipt for each deposit. Returns the
 * first uploaded receipt. All other deposits of the demo use the returned receipt.
 */
export async function createWaitingDeposits(making: {
  gatewayUrl: string
  ledger: LedgerClient
  options: readonly [StoryOption, ...StoryOption[]]
  people: readonly { email: string; password: string }[]
}): Promise<StoryReceipt> {
  let firstId: string | null = null
  for (const [index, person] of making.people.entries()) {
    const option = making.options[index % making.options.length] ?? making.options[0]
    const client = await signIn(making.gatewayUrl, person)
    const { transaction } = await client.call(createMyTransaction, {
      body: {
        type: 'deposit',
        amount: AMOUNTS[index % AMOUNTS.length] ?? AMOUNTS[0],
        pay_option: option.type,
        payment_option_id: option.id,
      },
      file: drawReceipt(index),
      // With this key, a repeated load gets the answer of the first load.
      idempotencyKey: `demo-waiting-${person.email}`,
    })
    firstId ??= transaction.id
  }
  if (firstId === null) throw new Error('no demo user has a pending deposit')
  const { transaction } = await making.ledger.ask('transaction', { transactionId: firstId })
  const { receiptId: id = null, receiptSha256: sha256 = null } = transaction ?? {}
  if (id === null || sha256 === null) throw new Error('the demo receipt was not stored')
  return { id, sha256 }
}

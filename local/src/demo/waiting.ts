import { createMyTransaction } from '@cairn/gateway-contracts'
import { drawReceipt } from './receipt.ts'
import { signIn } from './site-client.ts'
import type { StoryOption } from './stage.ts'

const AMOUNTS = [750, 1_250, 300, 2_400] as const

/**
 * Requests deposits of today through the API, and uploads a receipt for each deposit. The pictures
 * are numbered from `firstPicture` on. No other deposit may use one of these pictures, because the
 * platform would mark the request.
 */
export async function createWaitingDeposits(making: {
  gatewayUrl: string
  options: readonly [StoryOption, ...StoryOption[]]
  people: readonly { email: string; password: string }[]
  firstPicture: number
}): Promise<void> {
  for (const [index, person] of making.people.entries()) {
    const option = making.options[index % making.options.length] ?? making.options[0]
    const client = await signIn(making.gatewayUrl, person)
    await client.call(createMyTransaction, {
      body: {
        type: 'deposit',
        amount: AMOUNTS[index % AMOUNTS.length] ?? AMOUNTS[0],
        pay_option: option.type,
        payment_option_id: option.id,
      },
      file: drawReceipt(making.firstPicture + index),
      // With this key, a repeated load gets the answer of the first load.
      idempotencyKey: `demo-waiting-${person.email}`,
    })
  }
}

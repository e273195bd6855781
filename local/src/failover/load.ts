import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiClient, ApiError, fundUserWallet } from '@cairn/gateway-contracts'

const PAUSE_MS = 50
const CENTS = 100
const ACKNOWLEDGED_MIN = 20
const ACKNOWLEDGED_MS_MAX = 120_000

/** Clients that make payments through the API of the gateways. */
export interface Load {
  /** The amounts of all payments, in cents. Each payment has a unique amount. */
  readonly requested: ReadonlySet<number>
  /** The amounts of the payments that were acknowledged. */
  readonly acknowledged: ReadonlySet<number>
  /** The times of the acknowledgements, as `performance.now()`. */
  readonly acknowledgedAtMs: readonly number[]
  /** Rejects if a call is refused. */
  readonly failed: Promise<never>
  /** Makes no further payments, and waits until all payments are acknowledged. */
  finish(): Promise<void>
  /** Makes no further calls. Some payments can then remain without an answer. */
  abandon(): Promise<void>
}

/**
 * Starts the clients. A client repeats a payment with the same idempotency key until it is
 * acknowledged. If one gateway gives no answer, the client uses the other gateway.
 */
export function startLoad({
  gateways,
  investorId,
  clients,
}: {
  gateways: readonly ApiClient[]
  investorId: string
  clients: number
}): Load {
  const requested = new Set<number>()
  const acknowledged = new Set<number>()
  const acknowledgedAtMs: number[] = []
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  const abandoned = new AbortController()
  let isPaying = true

  async function pay(place: number): Promise<void> {
    const cents = requested.size + 1
    requested.add(cents)
    const body = { wallet_type: 'balance', amount: (cents / CENTS).toFixed(2) } as const
    const request = { params: { id: investorId }, body, idempotencyKey: randomUUID() }
    for (let turn = place; !abandoned.signal.aborted; turn += 1) {
      const gateway = gateways[turn % gateways.length]
      if (gateway === undefined) throw new Error('no gateway is configured')
      try {
        await gateway.call(fundUserWallet, request, abandoned.signal)
        acknowledgedAtMs.push(performance.now())
        acknowledged.add(cents)
        return
      } catch (error) {
        if (abandoned.signal.aborted) return
        if (!canBeRepeated(error)) throw error
        await delay(PAUSE_MS)
      }
    }
  }

  async function payInLoop(place: number): Promise<void> {
    while (isPaying) await pay(place)
  }
  const running = Promise.all(
    Array.from({ length: clients }, (_, place) => payInLoop(place).catch(failure.reject)),
  )
  const finish = async () => {
    isPaying = false
    await Promise.race([running, failure.promise])
  }
  return {
    requested,
    acknowledged,
    acknowledgedAtMs,
    failed: failure.promise,
    finish,
    abandon: async () => {
      abandoned.abort()
      await finish()
    },
  }
}

/** Waits for further acknowledgements. Throws after two minutes, or when a call is refused. */
export async function waitForAcknowledgements(load: Load): Promise<void> {
  const wanted = load.acknowledged.size + ACKNOWLEDGED_MIN
  const deadline = performance.now() + ACKNOWLEDGED_MS_MAX
  while (load.acknowledged.size < wanted) {
    if (performance.now() > deadline) throw new Error('no payment is acknowledged any more')
    await Promise.race([delay(PAUSE_MS), load.failed])
  }
}

/** True if the call got no answer, the status of a conflict, or the status of a server error. */
function canBeRepeated(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 0 || error.status === 409 || error.status >= 500
}

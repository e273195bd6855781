import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createId } from '@cairn/ledger-contracts'
import { JUDGES_TIMES } from '@cairn/local/time-limit'
import {
  addUser,
  openVisit,
  send,
  type UserStore,
  type Visitor,
} from '../../api-gateway/testing/test-gateway.ts'

/** Fewer clients leave more of the machine to the parts that a test restarts. */
const CLIENTS = JUDGES_TIMES ? 10 : 3
/** The share of the calls that may fail on a busy machine. */
const BUSY_FAILED_MAX = 0.2
const PAUSE_MS = 20

/**
 * Returns the largest share of the calls that may fail: `judged` if durations are checked. A busy
 * machine can delay the start of a part for longer than a call waits for it.
 */
export function chooseFailedMax(judged: number): number {
  return JUDGES_TIMES ? judged : BUSY_FAILED_MAX
}

/**
 * Returns the share that a sabotaged twin must exceed. Where durations are not checked, a single
 * failed call shows the harm.
 */
export function chooseTwinMin(judged: number): number {
  return JUDGES_TIMES ? judged : 0
}

/** An administrator, and the investor whose wallet the load changes. */
export interface People {
  adminId: string
  admin: Visitor
  investorId: string
}

export async function addPeople(store: UserStore, id = createId(Date.now())): Promise<People> {
  const adminId = await addUser(store, { id, role: 'admin', status: 'active' })
  const investorId = await addUser(store, { role: 'user', status: 'active' })
  return { adminId, admin: await openVisit(store, adminId), investorId }
}

/** What the clients have seen. `elsewhere` counts the calls that were sent to another gateway. */
export interface Load {
  paid: number
  calls: number
  failed: number
  elsewhere: number
  /** The longest time without an acknowledged payment, over all clients. */
  longestStallMs: number
}

/**
 * Makes payments and reads while `disturb` runs. If a call gets no reply (a refused or broken
 * connection), the client sends the call to the next gateway, as a load balancer does.
 */
export async function runUnderLoad(
  {
    admin,
    investorId,
    gateways,
    clients: count = CLIENTS,
  }: People & { gateways: readonly { url: string }[]; clients?: number },
  disturb: (load: Readonly<Load>) => Promise<void>,
): Promise<Load> {
  const load: Load = { paid: 0, calls: 0, failed: 0, elsewhere: 0, longestStallMs: 0 }
  let isGoing = true
  let paidAt = performance.now()

  async function call(place: number, request: Parameters<typeof send>[2]): Promise<number> {
    for (let turn = place; ; turn += 1) {
      const url = gateways[turn % gateways.length]?.url ?? ''
      const answer = await send({ url }, admin, request).catch(() => null)
      if (answer === null) {
        load.elsewhere += 1
        await delay(PAUSE_MS)
        continue
      }
      load.calls += 1
      if (answer.status >= 500) load.failed += 1
      // Another gateway may still have the same call. Every other refusal would come again for ever.
      else if (answer.status >= 400 && answer.status !== 409) {
        throw new Error(JSON.stringify(answer.body))
      }
      return answer.status
    }
  }

  async function callInLoop(place: number): Promise<void> {
    while (isGoing) {
      const headers = { 'idempotency-key': randomUUID() }
      const body = { wallet_type: 'balance', amount: '1.00', reason: 'load' }
      const path = `/users/${investorId}/wallets`
      while ((await call(place, { method: 'PATCH', path, body, headers })) !== 200) {
        await delay(PAUSE_MS)
      }
      load.paid += 1
      load.longestStallMs = Math.max(load.longestStallMs, performance.now() - paidAt)
      paidAt = performance.now()
      // As the pages do. Without a limit, a list has up to 5,000 rows.
      for (const read of ['/plans', '/users?limit=20', '/transactions?limit=20']) {
        await call(place, { method: 'GET', path: read })
        await delay(PAUSE_MS)
      }
    }
  }
  const clients = Array.from({ length: count }, (_, place) => callInLoop(place))
  const disturbed = disturb(load).finally(() => {
    isGoing = false
  })
  await Promise.all([disturbed, ...clients])
  return load
}

import type { Command, Id, LedgerClient, QueryResponse } from '@cairn/ledger-contracts'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { HEARTBEAT_SECONDS } from './boss.ts'
import { counted } from './counted.ts'

const QUEUE = 'accruals.accrue-due'
const EVERY_MINUTE = '* * * * *'
const CHUNK = 500
const CHUNKS_UNDER_WAY = 3
const POLL_SECONDS = 2

interface AccrualDeps {
  ledger: LedgerClient
  clock: Clock
  log: Logger
}

export async function startAccruals(
  deps: Omit<AccrualDeps, 'ledger'> & { ledgers: readonly LedgerClient[]; boss: PgBoss },
): Promise<void> {
  const { boss, ledgers } = deps
  await boss.createQueue(QUEUE, {
    // One waits at most. Several may run: that is harmless, and a killed one blocks nobody.
    policy: 'short',
    retryLimit: 10,
    retryDelay: 5,
    retryBackoff: true,
    expireInSeconds: 600,
    heartbeatSeconds: HEARTBEAT_SECONDS,
  })
  const run = counted(QUEUE, async () => {
    await Promise.all(ledgers.map((ledger) => accrueDue({ ...deps, ledger })))
  })
  await boss.work(QUEUE, { pollingIntervalSeconds: POLL_SECONDS, batchSize: 1 }, run)
  await boss.schedule(QUEUE, EVERY_MINUTE)
}

/**
 * What is due comes from the ledger, never from the tick that asked: late, repeated, concurrent and
 * killed runs end the same. A command names the unit to reach, so a second one is refused. The next
 * chunk is listed and sent while the one before is written, so that the writer never waits for it.
 */
export async function accrueDue(deps: AccrualDeps): Promise<void> {
  const now = new Date(deps.clock.now()).toISOString()
  const underWay: Promise<void>[] = []
  let after: Id | null = null
  do {
    const { due }: QueryResponse<'due'> = await deps.ledger.ask('due', {
      ...{ now, after, investorId: null, limit: CHUNK },
    })
    after = due.length < CHUNK ? null : (due.at(-1)?.investmentId ?? null)
    if (underWay.length >= CHUNKS_UNDER_WAY) await underWay.shift()
    if (due.length === 0) break
    const accruing = accrueChunk(deps, due)
    // Awaited in its turn; until then a failure must not count as unhandled.
    accruing.catch(() => {})
    underWay.push(accruing)
  } while (after !== null)
  await Promise.all(underWay)
}

async function accrueChunk(
  { ledger, log }: AccrualDeps,
  due: QueryResponse<'due'>['due'],
): Promise<void> {
  const answers = await ledger.submitBriefly(due.map(toCommand))
  const count = (outcome: string) => answers.filter((answer) => answer.outcome === outcome).length
  log.info({ due: due.length, recorded: count('recorded') }, 'profit accrued')
  if (count('failed') > 0) throw new Error(`${count('failed')} accruals failed and stay due`)
}

/** Without a key: the state is the guard, and a refusal as not yet due must not be remembered. */
function toCommand({ investmentId, units }: { investmentId: Id; units: number }): Command {
  return {
    type: 'AccrueThrough',
    data: { investmentId, units },
    actor: 'system:accruals',
    key: null,
    requestId: null,
    effectiveAt: null,
  }
}

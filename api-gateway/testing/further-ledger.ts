import {
  type Command,
  type CommandType,
  createId,
  type DataOf,
  type LedgerClient,
} from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import { claimLedger } from '../src/platform/ledger-client/site-ledger.ts'
import type { TestGateway } from './test-gateway.ts'
import { createUserRow } from './user-row.ts'

/** The time after which each process of a site knows an added ledger. */
const KNOWN_AFTER_MS = 11_000

/** Adds ledger 2 to the site of a gateway with `hasSeveralLedgers`. */
export async function addFurtherLedger(gateway: TestGateway): Promise<void> {
  await claimLedger(gateway.db, 1)
  await gateway.db
    .insertInto('platform.ledger')
    .values({ ledger_id: 2, name: 'West', is_open: true, added_at: sql<Date>`now()` })
    .execute()
  gateway.moveClock(KNOWN_AFTER_MS)
}

/** Adds an active user of ledger 2, and returns the id of the user. */
export async function addUserOfFurtherLedger(gateway: TestGateway): Promise<string> {
  const now = new Date(gateway.deps.clock.now())
  const userId = createId(now.getTime())
  const row = createUserRow({
    id: userId,
    role: 'user',
    status: 'active',
    passwordHash: 'none',
    now,
  })
  await gateway.db
    .insertInto('identity.user')
    .values({ ...row, ledger_id: 2 })
    .execute()
  await record(gateway.otherLedger(2), 'ActivateInvestor', {
    investorId: userId,
    referrerId: null,
  })
  return userId
}

/** Funds the wallet `balance` of the investor. */
export async function fund(
  ledger: LedgerClient,
  { investorId, amountMinor }: { investorId: string; amountMinor: bigint },
): Promise<string> {
  const transactionId = createId(Date.now())
  await record(ledger, 'FundWallet', {
    transactionId,
    investorId,
    wallet: 'balance',
    amountMinor,
    category: null,
    reason: null,
  })
  return transactionId
}

/** Submits the command. Throws unless the ledger recorded it. */
export async function record<Type extends CommandType>(
  ledger: Pick<LedgerClient, 'submit'>,
  type: Type,
  data: DataOf<Type>,
): Promise<void> {
  const rest = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
  // The cast is safe because type and data are given as a pair.
  const answer = await ledger.submit({ type, data, ...rest } as unknown as Command)
  if (answer.outcome !== 'recorded') throw new Error(`not recorded: ${JSON.stringify(answer)}`)
}

import {
  type Command,
  type CommandType,
  createId,
  type DataOf,
  type LedgerClient,
} from '@cairn/ledger-contracts'
import type { Database } from '../src/platform/database/database.ts'
import { claimLedger } from '../src/platform/ledger-client/site-ledger.ts'
import { addUser } from './add-user.ts'
import { startTestGateway, type TestGateway } from './test-gateway.ts'

/** The terms of a plan that pays 10 % in ten days. */
export const TEN_DAY_TERMS = {
  name: 'Ten days',
  duration: 10,
  unit: 'days',
  minimumMinor: 1_000n,
  maximumMinor: null,
  profitPpm: 100_000,
  referralBonusPpm: 0,
  returnPrincipal: true,
  isArchived: false,
} as const

/** The time after which each process of a site knows an added ledger. */
const KNOWN_AFTER_MS = 11_000

/** Starts a gateway whose site has ledgers 1 and 2. */
export async function startGatewayOfTwoLedgers(
  ledgerEnvironment: Readonly<Record<string, string>> = {},
): Promise<TestGateway> {
  const gateway = await startTestGateway({
    hasSeveralLedgers: true,
    ledgerEnvironment: { LEDGERS: '2', ...ledgerEnvironment },
  })
  await addSecondLedger(gateway.db)
  gateway.moveClock(KNOWN_AFTER_MS)
  return gateway
}

/** Adds ledger 2 to a site whose first ledger is 1. */
export async function addSecondLedger(db: Database): Promise<void> {
  await claimLedger(db, 1)
  const row = { ledger_id: 2, name: 'West', is_open: true, added_at: new Date() }
  await db.insertInto('platform.ledger').values(row).execute()
}

/** Adds an active user of ledger 2, and returns the id of the user. */
export function addUserOfSecondLedger({ db, deps, otherLedger }: TestGateway): Promise<string> {
  const store = { db, deps, ledger: { unrecorded: otherLedger(2) } }
  return addUser(store, { role: 'user', status: 'active', ledger: 2 })
}

/** Adds an active user of the ledger with money in the wallet `balance`. */
export async function addFundedUser(
  { db, client }: { db: Database; client: LedgerClient },
  { ledger, amountMinor }: { ledger: number; amountMinor: bigint },
): Promise<string> {
  const store = { db, deps: { clock: Date }, ledger: { unrecorded: client } }
  const investorId = await addUser(store, { role: 'user', status: 'active', ledger })
  await fund(client, { investorId, amountMinor })
  return investorId
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

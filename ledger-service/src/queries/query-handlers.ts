import type { Durability, QueryName, QueryRequest, QueryResponse } from '@cairn/ledger-contracts'
import { readDiskSpace } from '@cairn/service-kit/disk-space'
import { RELEASE } from '@cairn/service-kit/release'
import type pg from 'pg'
import { readDatabaseState } from '../log/database-state.ts'
import { readDurability } from '../log/durability.ts'
import type { Checkpoints } from '../proofs/checkpoints.ts'
import { listTrialBalances } from '../proofs/month-end.ts'
import { computeHeadAt, proveConsistency, proveInclusion } from '../proofs/prove.ts'
import type { Verifications } from '../proofs/verifications.ts'
import { verifyInTurn } from '../proofs/verify.ts'
import { listAccounts } from './accounts/accounts.ts'
import { findBalance, findTrialBalance, listStatement } from './accounts/balances.ts'
import { listBalancesAfter } from './accounts/balances-after.ts'
import { findEffectiveBalance } from './accounts/effective-balance.ts'
import { findTotals } from './accounts/totals.ts'
import { findControls } from './controls/controls.ts'
import { findKeyRotation } from './controls/key-rotation.ts'
import { listAuditSeals } from './explorer/audit-seals.ts'
import { listCheckpoints } from './explorer/checkpoints.ts'
import { findEvent } from './explorer/event.ts'
import { listEvents } from './explorer/events.ts'
import { readExportPage } from './explorer/export-page.ts'
import { findPlanReceipt } from './explorer/plan-receipt.ts'
import { listDueBonuses, listDueInvestments, measureAccrualDelay } from './investments/due.ts'
import { listInvestmentEvents } from './investments/investment-events.ts'
import { findInvestment, listInvestments } from './investments/investments.ts'
import { findMaturities } from './investments/maturities.ts'
import { listPlans } from './investments/plans.ts'
import { listInvestors } from './investors/investors.ts'
import { listReferralEarnings } from './investors/referral-earnings.ts'
import type { Database } from './schema.ts'
import { findDecisionTimes } from './transactions/decision-times.ts'
import { findRules } from './transactions/rules.ts'
import { listTransactionEvents } from './transactions/transaction-events.ts'
import { findTransaction, listTransactions } from './transactions/transactions.ts'

export interface Reading {
  db: Database
  pool: pg.Pool
  ledger: number
  /** The durability that the operator requires. */
  durability: Durability
  checkpoints: Checkpoints
  verifications: Verifications
  checkpointDir: string
  /** The end of the certificate of the service; null if the service has none. */
  certificateEnd: Date | null
}

type QueryHandlers = {
  [Name in QueryName]: (
    reading: Reading,
    request: QueryRequest<Name>,
  ) => Promise<QueryResponse<Name>>
}

/** The function that answers each query. */
export const queryHandlers: QueryHandlers = {
  plans: ({ db, ledger }, request) => listPlans(db, { ...request, ledger }),
  rules: ({ db, ledger }) => findRules(db, ledger),
  controls: ({ db, ledger }, request) => findControls(db, { ...request, ledger }),
  signingKey: ({ pool, ledger }) => findKeyRotation(pool, ledger),
  investors: ({ pool, ledger }, request) => listInvestors(pool, { ...request, ledger }),
  transactions: ({ db, ledger }, request) => listTransactions(db, { ...request, ledger }),
  transaction: ({ db, ledger }, request) => findTransaction(db, { ...request, ledger }),
  investments: ({ db, ledger }, request) => listInvestments(db, { ...request, ledger }),
  investment: ({ db, ledger }, request) => findInvestment(db, { ...request, ledger }),
  due: ({ db, ledger }, request) => listDueInvestments(db, { ...request, ledger }),
  dueBonuses: ({ db, ledger }, request) => listDueBonuses(db, { ...request, ledger }),
  dueLag: ({ db, ledger }, request) => measureAccrualDelay(db, { ...request, ledger }),
  totals: ({ db, ledger }) => findTotals(db, ledger),
  head: ({ pool, ledger }, request) => computeHeadAt(pool, { ...request, ledger }),
  inclusion: ({ pool, ledger }, request) => proveInclusion(pool, { ...request, ledger }),
  consistency: ({ pool, ledger }, request) => proveConsistency(pool, { ...request, ledger }),
  statement: ({ pool, ledger }, request) => listStatement(pool, { ...request, ledger }),
  balance: ({ pool, ledger }, request) => findBalance(pool, { ...request, ledger }),
  effectiveBalance: ({ pool, ledger }, request) =>
    findEffectiveBalance(pool, { ...request, ledger }),
  checkpoint: async ({ checkpoints }) => ({
    checkpoint: await checkpoints.findLatest(),
    verifierKeys: [...(await checkpoints.listVerifierKeys())],
  }),
  receipt: async ({ checkpoints }, { seq }) => ({
    receipt: await checkpoints.readReceipt(seq),
    verifierKeys: [...(await checkpoints.listVerifierKeys())],
  }),
  events: ({ pool, ledger }, request) => listEvents(pool, { ...request, ledger }),
  auditSeals: async ({ pool, ledger }, request) => ({
    seals: [...(await listAuditSeals(pool, { ...request, ledger }))],
  }),
  event: (reading, { seq }) => findEvent(reading, { ledger: reading.ledger, seq }),
  planReceipt: (reading) => findPlanReceipt(reading),
  investmentEvents: ({ pool, ledger }, request) =>
    listInvestmentEvents(pool, { ...request, ledger }),
  transactionEvents: ({ pool, ledger }, request) =>
    listTransactionEvents(pool, { ...request, ledger }),
  accounts: ({ db, ledger }, request) => listAccounts(db, { ...request, ledger }),
  trialBalance: ({ pool, ledger }, { at }) => findTrialBalance(pool, { ledger, at }),
  trialBalances: ({ pool, ledger }, request) => listTrialBalances(pool, { ...request, ledger }),
  checkpoints: ({ pool, ledger }, request) => listCheckpoints(pool, { ...request, ledger }),
  maturities: ({ pool, ledger }, request) => findMaturities(pool, { ...request, ledger }),
  decisionTimes: ({ pool, ledger }, request) => findDecisionTimes(pool, { ...request, ledger }),
  balancesAfter: ({ pool, ledger }, request) => listBalancesAfter(pool, { ...request, ledger }),
  referralEarnings: ({ pool, ledger }, request) =>
    listReferralEarnings(pool, { ...request, ledger }),
  durability: async ({ pool, durability }) => ({
    required: durability,
    now: await readDurability(pool),
  }),
  serverState: async ({ pool, checkpointDir, certificateEnd }) => ({
    release: RELEASE,
    certificateExpiresAt: certificateEnd?.toISOString() ?? null,
    disk: await readDiskSpace(checkpointDir),
    database: await readDatabaseState(pool),
  }),
  startVerification: ({ verifications }, request) => verifications.start(request),
  verifications: ({ verifications }) => verifications.list(),
  exportPage: ({ pool, ledger }, request) => readExportPage(pool, { ...request, ledger }),
  check: async ({ pool, ledger }) => {
    const { events, postings, problems } = await verifyInTurn(pool, { ledger })
    return { events, postings, problems: [...problems] }
  },
}

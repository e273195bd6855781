import { type CommandType, createId, type DataOf } from '@cairn/ledger-contracts'
import { createClosedMonth, plainRules } from './rule-book.ts'
import {
  createFundedInvestor,
  HOUR_MS,
  plan30Days,
  requireRecorded,
  type SceneLedger,
} from './test-ledger.ts'
import { createTestHandover, createTestKey } from './test-signing.ts'

const AMOUNT = 20_000n
const paymentOptionId = null
const reason = 'scene'
/**
 * The actor of the command line on the server. This actor can change controls without a second
 * approver.
 */
const SERVER = { actor: 'system:server' }
const gift = { amountMinor: AMOUNT, category: null, reason } as const

type Scenes = { [Type in CommandType]: (ledger: SceneLedger) => Promise<DataOf<Type>> }

const SITUATIONS: Scenes = {
  DefinePlan: async () => ({ planId: createSceneId(), terms: plan30Days }),
  SetMoneyRules: async () => ({ rules: plainRules }),
  ActivateInvestor: async () => ({ investorId: createSceneId(), referrerId: null }),
  SuspendInvestor: async (ledger) => ({
    investorId: await createFundedInvestor(ledger, { amountMinor: 0n }),
    standing: 'deactivated',
  }),
  CloseInvestor: async (ledger) => ({
    investorId: await createFundedInvestor(ledger, { amountMinor: 0n }),
  }),
  RequestDeposit: async (ledger) => createDeposit(await createInvestor(ledger)),
  ApproveDeposit: async (ledger) => ({
    ...(await requestDeposit(ledger)),
    paymentOptionId,
    approvedMinor: 10_000n,
  }),
  DeclineDeposit: async (ledger) => ({ ...(await requestDeposit(ledger)), reason }),
  CancelDeposit: async (ledger) => requestDepositAndOwner(ledger),
  ReverseDeposit: async (ledger) => {
    const request = await requestDeposit(ledger)
    await requireRecorded(ledger.submit('DeclineDeposit', { ...request, reason }))
    return { ...request, to: 'success', paymentOptionId, reason }
  },
  RequestWithdrawal: async (ledger) => createWithdrawal(await createInvestor(ledger)),
  ApproveWithdrawal: async (ledger) => ({
    ...(await requestWithdrawal(ledger)),
    paymentOptionId,
    payoutReference: null,
    bankAccountSha256: 'b'.repeat(64),
  }),
  HoldWithdrawal: async (ledger) => ({ ...(await requestWithdrawal(ledger)), reason }),
  DeclineWithdrawal: async (ledger) => ({ ...(await requestWithdrawal(ledger)), reason }),
  CancelWithdrawal: async (ledger) => requestWithdrawalAndOwner(ledger),
  ReverseWithdrawal: async (ledger) => {
    const request = await requestWithdrawal(ledger)
    await requireRecorded(ledger.submit('DeclineWithdrawal', { ...request, reason }))
    return { ...request, to: 'success', paymentOptionId, reason }
  },
  FundWallet: async (ledger) => ({
    ...gift,
    transactionId: createSceneId(),
    wallet: 'balance',
    investorId: await createInvestor(ledger),
  }),
  FundReserve: async () => ({ transactionId: createSceneId(), amountMinor: AMOUNT, note: null }),
  WithdrawReserve: async (ledger) => {
    await requireRecorded(ledger.submit('FundReserve', await SITUATIONS.FundReserve(ledger)))
    return { transactionId: createSceneId(), amountMinor: AMOUNT, note: null }
  },
  SweepToReserve: async (ledger) => {
    await requireRecorded(
      ledger.submit('SetMoneyRules', { rules: { ...plainRules, withdrawalFeePpm: 50_000 } }),
    )
    const approval = await SITUATIONS.ApproveWithdrawal(ledger)
    await requireRecorded(ledger.submit('ApproveWithdrawal', approval))
    await requireRecorded(ledger.submit('SetMoneyRules', { rules: plainRules }))
    return { transactionId: createSceneId(), from: 'fees', amountMinor: 1n }
  },
  // Only a program that knows a second version can activate it.
  ActivateModel: async () => ({ version: 2 }),
  ChooseCurrency: async () => ({ asset: 'EUR/2' }),
  MoveAsset: async () => ({
    asset: 'BTC/8',
    from: 'cash:cold-wallet',
    to: 'reserve',
    amountMinor: AMOUNT,
    note: null,
  }),
  PermitImport: async () => ({ fileSha256: 'c'.repeat(64) }),
  // The ledger accepts this command only before the first request or movement of money, or while
  // dual control is required.
  ImportBalance: async () => ({
    fileSha256: 'c'.repeat(64),
    line: 2,
    lastLine: 3,
    account: 'income',
    asset: 'EUR/2',
    isCredit: true,
    amountMinor: AMOUNT,
  }),
  AdjustWallet: async (ledger) => createAdjustment(await createInvestor(ledger)),
  OpenInvestment: async (ledger) => {
    const planId = createSceneId()
    await requireRecorded(ledger.submit('DefinePlan', { planId, terms: plan30Days }))
    const investorId = await createInvestor(ledger)
    return {
      investmentId: createSceneId(),
      investorId,
      planId,
      amountMinor: AMOUNT,
      planVersion: null,
    }
  },
  AccrueThrough: async (ledger) => {
    const opening = await SITUATIONS.OpenInvestment(ledger)
    // The investment starts in the past, so that one unit is due.
    const effectiveAt = new Date(ledger.clock.now() - 30 * HOUR_MS).toISOString()
    await requireRecorded(ledger.submit('OpenInvestment', opening, { effectiveAt }))
    return { investmentId: opening.investmentId, units: 1 }
  },
  DenyInvestment: async (ledger) => ({
    investmentId: (await openInvestment(ledger)).investmentId,
    reason,
  }),
  CancelInvestment: async (ledger) => {
    const rules = { ...plainRules, coolingOffHours: 24 }
    await requireRecorded(ledger.submit('SetMoneyRules', { rules }))
    return openInvestment(ledger)
  },
  PayReferralBonus: async (ledger) => {
    const rules = { ...plainRules, coolingOffHours: 24 }
    await requireRecorded(ledger.submit('SetMoneyRules', { rules }))
    const opening = await SITUATIONS.OpenInvestment(ledger)
    const referrerId = await createInvestor(ledger)
    // The investor must be new, because the referrer is set only at the first activation.
    const referred = createSceneId()
    await requireRecorded(ledger.submit('ActivateInvestor', { investorId: referred, referrerId }))
    await requireRecorded(
      ledger.submit('FundWallet', {
        ...gift,
        transactionId: createSceneId(),
        wallet: 'balance',
        investorId: referred,
      }),
    )
    const effectiveAt = new Date(ledger.clock.now() - 30 * HOUR_MS).toISOString()
    const bought = { ...opening, investorId: referred }
    await requireRecorded(ledger.submit('OpenInvestment', bought, { effectiveAt }))
    return { investmentId: opening.investmentId }
  },
  AddApprover: async () => ({ approverId: createSceneId() }),
  RemoveApprover: async (ledger) => {
    const approverId = createSceneId()
    await requireRecorded(ledger.submit('AddApprover', { approverId }, SERVER))
    await endDualControl(ledger)
    return { approverId, reason }
  },
  SetDualControl: async (ledger) => {
    for (const approverId of [createSceneId(), createSceneId()]) {
      await requireRecorded(ledger.submit('AddApprover', { approverId }, SERVER))
    }
    await endDualControl(ledger)
    return { mode: 'required' }
  },
  // Each seal needs a higher count than the previous seal.
  SealAudit: async () => ({ count: Date.now(), head: 'a'.repeat(64) }),
  CloseMonth: async () => createClosedMonth('2026-01'),
  PermitKeyRotation: async () => ({ verifierKey: createTestKey().verifierKey }),
  // The handover is between keys of a different log, so it does not affect the log of the test.
  ReplaceSigningKey: async () => ({ handovers: [createTestHandover()], reason: null }),
}

/**
 * The types of commands that can be recorded more than once in a ledger in which money has moved.
 */
export const REPEATABLE_TYPES = (Object.keys(SITUATIONS) as CommandType[]).filter(
  (type) => !['ChooseCurrency', 'ActivateModel', 'CloseMonth', 'ImportBalance'].includes(type),
)

/**
 * For each command type, a function that creates data with which the ledger will record the
 * command. The functions can be called one after the other on one ledger.
 */
export const scenes = Object.fromEntries(
  Object.entries(SITUATIONS).map(([type, set]) => [
    type,
    async (ledger: SceneLedger) => {
      await endDualControl(ledger)
      return await set(ledger)
    },
  ]),
  // The cast is safe, because each entry still belongs to its type.
) as Scenes

/**
 * Ends dual control if an earlier test step made it required. Otherwise the ledger refuses the
 * command, and nothing changes.
 */
async function endDualControl(ledger: SceneLedger): Promise<void> {
  await ledger.submit('SetDualControl', { mode: 'single' }, SERVER)
}

export function createScene(ledger: SceneLedger, type: CommandType): Promise<unknown> {
  return scenes[type](ledger)
}

function createSceneId(): string {
  return createId(Date.now())
}

function createInvestor(ledger: SceneLedger): Promise<string> {
  return createFundedInvestor(ledger, { amountMinor: 10n * AMOUNT })
}

function createDeposit(investorId: string): DataOf<'RequestDeposit'> {
  const receipt = { receiptId: 'r', receiptSha256: 'a'.repeat(64) }
  return {
    transactionId: createSceneId(),
    investorId,
    amountMinor: AMOUNT,
    method: 'bank',
    paymentOptionId,
    ...receipt,
  }
}

function createWithdrawal(investorId: string): DataOf<'RequestWithdrawal'> {
  const bank = { bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) }
  return {
    transactionId: createSceneId(),
    investorId,
    source: 'balance',
    amountMinor: AMOUNT,
    ...bank,
  }
}

function createAdjustment(investorId: string): DataOf<'AdjustWallet'> {
  const amount = { wallet: 'balance', amountMinor: AMOUNT, isCredit: true } as const
  return { transactionId: createSceneId(), investorId, ...amount, reason }
}

async function requestDepositAndOwner(ledger: SceneLedger) {
  const { transactionId, investorId, ...rest } = createDeposit(await createInvestor(ledger))
  await requireRecorded(ledger.submit('RequestDeposit', { transactionId, investorId, ...rest }))
  return { transactionId, investorId }
}

async function requestDeposit(ledger: SceneLedger) {
  const { transactionId } = await requestDepositAndOwner(ledger)
  return { transactionId }
}

async function requestWithdrawalAndOwner(ledger: SceneLedger) {
  const { transactionId, investorId, ...rest } = createWithdrawal(await createInvestor(ledger))
  await requireRecorded(ledger.submit('RequestWithdrawal', { transactionId, investorId, ...rest }))
  return { transactionId, investorId }
}

async function requestWithdrawal(ledger: SceneLedger) {
  const { transactionId } = await requestWithdrawalAndOwner(ledger)
  return { transactionId }
}

async function openInvestment(ledger: SceneLedger) {
  const opening = await SITUATIONS.OpenInvestment(ledger)
  await requireRecorded(ledger.submit('OpenInvestment', opening))
  return { investmentId: opening.investmentId, investorId: opening.investorId }
}

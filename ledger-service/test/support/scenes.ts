import { type CommandType, type DataOf, newId } from '@cairn/ledger-contracts'
import { plainRules } from './rule-book.ts'
import { fundedInvestor, HOUR_MS, plan30Days, recorded, type SceneLedger } from './test-ledger.ts'

const AMOUNT = 20_000n
const paymentOptionId = null
const reason = 'scene'
/** The command line on the server, which may change controls without a second approver. */
const SERVER = { actor: 'system:server' }
const gift = { amountMinor: AMOUNT, category: null, reason } as const

type Scenes = { [Type in CommandType]: (ledger: SceneLedger) => Promise<DataOf<Type>> }

const SITUATIONS: Scenes = {
  DefinePlan: async () => ({ planId: id(), terms: plan30Days }),
  SetMoneyRules: async () => ({ rules: plainRules }),
  ActivateInvestor: async () => ({ investorId: id(), referrerId: null }),
  SuspendInvestor: async (ledger) => ({
    investorId: await fundedInvestor(ledger, { amountMinor: 0n }),
    standing: 'deactivated',
  }),
  CloseInvestor: async (ledger) => ({
    investorId: await fundedInvestor(ledger, { amountMinor: 0n }),
  }),
  RequestDeposit: async (ledger) => depositOf(await investorOf(ledger)),
  ApproveDeposit: async (ledger) => ({
    ...(await requestedDeposit(ledger)),
    paymentOptionId,
    approvedMinor: 10_000n,
  }),
  DeclineDeposit: async (ledger) => ({ ...(await requestedDeposit(ledger)), reason }),
  CancelDeposit: async (ledger) => requestedDepositAndOwner(ledger),
  ReverseDeposit: async (ledger) => {
    const request = await requestedDeposit(ledger)
    await recorded(ledger.submit('DeclineDeposit', { ...request, reason }))
    return { ...request, to: 'success', paymentOptionId, reason }
  },
  RequestWithdrawal: async (ledger) => withdrawalOf(await investorOf(ledger)),
  ApproveWithdrawal: async (ledger) => ({
    ...(await requestedWithdrawal(ledger)),
    paymentOptionId,
    payoutReference: null,
    bankAccountSha256: 'b'.repeat(64),
  }),
  HoldWithdrawal: async (ledger) => ({ ...(await requestedWithdrawal(ledger)), reason }),
  DeclineWithdrawal: async (ledger) => ({ ...(await requestedWithdrawal(ledger)), reason }),
  CancelWithdrawal: async (ledger) => requestedWithdrawalAndOwner(ledger),
  ReverseWithdrawal: async (ledger) => {
    const request = await requestedWithdrawal(ledger)
    await recorded(ledger.submit('DeclineWithdrawal', { ...request, reason }))
    return { ...request, to: 'success', paymentOptionId, reason }
  },
  FundWallet: async (ledger) => ({
    ...gift,
    transactionId: id(),
    wallet: 'balance',
    investorId: await investorOf(ledger),
  }),
  FundReserve: async () => ({ transactionId: id(), amountMinor: AMOUNT, note: null }),
  WithdrawReserve: async (ledger) => {
    await recorded(ledger.submit('FundReserve', await SITUATIONS.FundReserve(ledger)))
    return { transactionId: id(), amountMinor: AMOUNT, note: null }
  },
  SweepToReserve: async (ledger) => {
    await recorded(
      ledger.submit('SetMoneyRules', { rules: { ...plainRules, withdrawalFeePpm: 50_000 } }),
    )
    const approval = await SITUATIONS.ApproveWithdrawal(ledger)
    await recorded(ledger.submit('ApproveWithdrawal', approval))
    await recorded(ledger.submit('SetMoneyRules', { rules: plainRules }))
    return { transactionId: id(), from: 'fees', amountMinor: 1n }
  },
  AdjustWallet: async (ledger) => adjustmentOf(await investorOf(ledger)),
  OpenInvestment: async (ledger) => {
    const planId = id()
    await recorded(ledger.submit('DefinePlan', { planId, terms: plan30Days }))
    const investorId = await investorOf(ledger)
    return { investmentId: id(), investorId, planId, amountMinor: AMOUNT, planVersion: null }
  },
  AccrueThrough: async (ledger) => {
    const opening = await SITUATIONS.OpenInvestment(ledger)
    // Opened in the past, so that one unit is due.
    const effectiveAt = new Date(ledger.clock.now() - 30 * HOUR_MS).toISOString()
    await recorded(ledger.submit('OpenInvestment', opening, { effectiveAt }))
    return { investmentId: opening.investmentId, units: 1 }
  },
  DenyInvestment: async (ledger) => ({
    investmentId: (await openedInvestment(ledger)).investmentId,
    reason,
  }),
  CancelInvestment: async (ledger) => {
    const rules = { ...plainRules, coolingOffHours: 24 }
    await recorded(ledger.submit('SetMoneyRules', { rules }))
    return openedInvestment(ledger)
  },
  PayReferralBonus: async (ledger) => {
    const rules = { ...plainRules, coolingOffHours: 24 }
    await recorded(ledger.submit('SetMoneyRules', { rules }))
    const opening = await SITUATIONS.OpenInvestment(ledger)
    const referrerId = await investorOf(ledger)
    // A new investor, because the referrer is set once.
    const referred = id()
    await recorded(ledger.submit('ActivateInvestor', { investorId: referred, referrerId }))
    await recorded(
      ledger.submit('FundWallet', {
        ...gift,
        transactionId: id(),
        wallet: 'balance',
        investorId: referred,
      }),
    )
    const effectiveAt = new Date(ledger.clock.now() - 30 * HOUR_MS).toISOString()
    const bought = { ...opening, investorId: referred }
    await recorded(ledger.submit('OpenInvestment', bought, { effectiveAt }))
    return { investmentId: opening.investmentId }
  },
  AddApprover: async () => ({ approverId: id() }),
  RemoveApprover: async (ledger) => {
    const approverId = id()
    await recorded(ledger.submit('AddApprover', { approverId }, SERVER))
    await endDualControl(ledger)
    return { approverId, reason }
  },
  SetDualControl: async (ledger) => {
    for (const approverId of [id(), id()]) {
      await recorded(ledger.submit('AddApprover', { approverId }, SERVER))
    }
    await endDualControl(ledger)
    return { mode: 'required' }
  },
  // The count must grow with each seal.
  SealAudit: async () => ({ count: Date.now(), head: 'a'.repeat(64) }),
}

/**
 * For each command type, a situation in which it is recorded. Scenes can follow each other in one
 * ledger.
 */
export const scenes = Object.fromEntries(
  Object.entries(SITUATIONS).map(([type, set]) => [
    type,
    async (ledger: SceneLedger) => {
      await endDualControl(ledger)
      return await set(ledger)
    },
  ]),
  // The cast holds because each entry keeps its type.
) as Scenes

/** Ends dual control if an earlier scene made it required; otherwise the refusal has no effect. */
async function endDualControl(ledger: SceneLedger): Promise<void> {
  await ledger.submit('SetDualControl', { mode: 'single' }, SERVER)
}

export function setTheScene(ledger: SceneLedger, type: CommandType): Promise<unknown> {
  return scenes[type](ledger)
}

function id(): string {
  return newId(Date.now())
}

function investorOf(ledger: SceneLedger): Promise<string> {
  return fundedInvestor(ledger, { amountMinor: 10n * AMOUNT })
}

function depositOf(investorId: string): DataOf<'RequestDeposit'> {
  const receipt = { receiptId: 'r', receiptSha256: 'a'.repeat(64) }
  return {
    transactionId: id(),
    investorId,
    amountMinor: AMOUNT,
    method: 'bank',
    paymentOptionId,
    ...receipt,
  }
}

function withdrawalOf(investorId: string): DataOf<'RequestWithdrawal'> {
  const bank = { bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) }
  return { transactionId: id(), investorId, source: 'balance', amountMinor: AMOUNT, ...bank }
}

function adjustmentOf(investorId: string): DataOf<'AdjustWallet'> {
  const amount = { wallet: 'balance', amountMinor: AMOUNT, isCredit: true } as const
  return { transactionId: id(), investorId, ...amount, reason }
}

async function requestedDepositAndOwner(ledger: SceneLedger) {
  const { transactionId, investorId, ...rest } = depositOf(await investorOf(ledger))
  await recorded(ledger.submit('RequestDeposit', { transactionId, investorId, ...rest }))
  return { transactionId, investorId }
}

async function requestedDeposit(ledger: SceneLedger) {
  const { transactionId } = await requestedDepositAndOwner(ledger)
  return { transactionId }
}

async function requestedWithdrawalAndOwner(ledger: SceneLedger) {
  const { transactionId, investorId, ...rest } = withdrawalOf(await investorOf(ledger))
  await recorded(ledger.submit('RequestWithdrawal', { transactionId, investorId, ...rest }))
  return { transactionId, investorId }
}

async function requestedWithdrawal(ledger: SceneLedger) {
  const { transactionId } = await requestedWithdrawalAndOwner(ledger)
  return { transactionId }
}

async function openedInvestment(ledger: SceneLedger) {
  const opening = await SITUATIONS.OpenInvestment(ledger)
  await recorded(ledger.submit('OpenInvestment', opening))
  return { investmentId: opening.investmentId, investorId: opening.investorId }
}

import type { CommandType, DataOf } from '@cairn/ledger-contracts'
import { createServerCommand, type LedgerScene, RULES, TERMS, THRESHOLD } from './ledger-scene.ts'

const reason = 'a reason'
const paymentOptionId = null
const bank = { bankAccountId: 'b', bankAccountSha256: 'b'.repeat(64) }

/**
 * For each command type, a function that creates valid data. Only the controls (approvals and the
 * threshold) can refuse the command.
 */
type Samples = {
  [Type in CommandType]: (amountMinor: bigint) => Promise<DataOf<Type>> | DataOf<Type>
}

export function createSamples(scene: LedgerScene): Samples {
  const { createTestId, prepare, createAgreedCommand } = scene
  let coolingOffHours = 720
  const addInvestor = async (balanceMinor: bigint): Promise<string> => {
    const investorId = createTestId()
    await prepare(createServerCommand('ActivateInvestor', { investorId, referrerId: null }))
    if (balanceMinor === 0n) return investorId
    await prepare(
      createAgreedCommand('FundWallet', {
        ...createWalletChange(investorId, balanceMinor),
        category: null,
      }),
    )
    return investorId
  }
  const createWalletChange = (investorId: string, amountMinor: bigint) =>
    ({ transactionId: createTestId(), investorId, wallet: 'balance', amountMinor, reason }) as const
  const createDeposit = async (amountMinor: bigint): Promise<DataOf<'RequestDeposit'>> => ({
    ...{
      transactionId: createTestId(),
      investorId: await addInvestor(0n),
      amountMinor,
      method: 'bank',
    },
    ...{ paymentOptionId, receiptId: 'r', receiptSha256: 'a'.repeat(64) },
  })
  const addDeposit = async (amountMinor: bigint) => {
    const deposit = await createDeposit(amountMinor)
    await prepare(createServerCommand('RequestDeposit', deposit))
    return deposit
  }
  const createWithdrawal = async (amountMinor: bigint): Promise<DataOf<'RequestWithdrawal'>> => {
    const investorId = await addInvestor(2n * amountMinor)
    return { transactionId: createTestId(), investorId, source: 'balance', amountMinor, ...bank }
  }
  const addWithdrawal = async (amountMinor: bigint) => {
    const withdrawal = await createWithdrawal(amountMinor)
    await prepare(createServerCommand('RequestWithdrawal', withdrawal))
    return withdrawal
  }
  const toApproval = ({ transactionId }: { transactionId: string }) => ({
    ...{ transactionId, paymentOptionId, payoutReference: null },
    bankAccountSha256: bank.bankAccountSha256,
  })
  const createInvestment = async (amountMinor: bigint): Promise<DataOf<'OpenInvestment'>> => {
    const planId = createTestId()
    await prepare(createAgreedCommand('DefinePlan', { planId, terms: TERMS }))
    const investorId = await addInvestor(2n * amountMinor)
    return { investmentId: createTestId(), investorId, planId, amountMinor, planVersion: null }
  }
  const addInvestment = async (amountMinor: bigint) => {
    const investment = await createInvestment(amountMinor)
    await prepare(createServerCommand('OpenInvestment', investment))
    return investment
  }
  const createReserveData = (amountMinor: bigint) => ({
    transactionId: createTestId(),
    amountMinor,
    note: null,
  })
  const createApprover = () => ({ approverId: createTestId() })
  return {
    DefinePlan: () => ({ planId: createTestId(), terms: TERMS }),
    SetMoneyRules: () => {
      coolingOffHours -= 1
      const rules = { ...RULES, approvalThresholdMinor: THRESHOLD, coolingOffHours }
      return { rules }
    },
    ActivateInvestor: () => ({ investorId: createTestId(), referrerId: null }),
    SuspendInvestor: async () => ({
      investorId: await addInvestor(0n),
      standing: 'deactivated' as const,
    }),
    CloseInvestor: async () => ({ investorId: await addInvestor(0n) }),
    RequestDeposit: createDeposit,
    ApproveDeposit: async (approvedMinor) => {
      const { transactionId } = await addDeposit(approvedMinor)
      return { transactionId, paymentOptionId, approvedMinor }
    },
    DeclineDeposit: async (amount) => {
      const { transactionId } = await addDeposit(amount)
      return { transactionId, reason }
    },
    CancelDeposit: async (amount) => {
      const { transactionId, investorId } = await addDeposit(amount)
      return { transactionId, investorId }
    },
    ReverseDeposit: async (amount) => {
      const { transactionId } = await addDeposit(amount)
      await prepare(createServerCommand('DeclineDeposit', { transactionId, reason }))
      return { transactionId, to: 'success', paymentOptionId, reason }
    },
    RequestWithdrawal: createWithdrawal,
    ApproveWithdrawal: async (amount) => toApproval(await addWithdrawal(amount)),
    HoldWithdrawal: async (amount) => {
      const { transactionId } = await addWithdrawal(amount)
      return { transactionId, reason }
    },
    DeclineWithdrawal: async (amount) => {
      const { transactionId } = await addWithdrawal(amount)
      return { transactionId, reason }
    },
    CancelWithdrawal: async (amount) => {
      const { transactionId, investorId } = await addWithdrawal(amount)
      return { transactionId, investorId }
    },
    ReverseWithdrawal: async (amount) => {
      const withdrawal = await addWithdrawal(amount)
      await prepare(createAgreedCommand('ApproveWithdrawal', toApproval(withdrawal)))
      const { transactionId } = withdrawal
      return { transactionId, to: 'declined', paymentOptionId, reason }
    },
    FundWallet: async (amount) => ({
      ...createWalletChange(await addInvestor(0n), amount),
      category: null,
    }),
    FundReserve: createReserveData,
    WithdrawReserve: createReserveData,
    SweepToReserve: (amountMinor) => ({ transactionId: createTestId(), from: 'fees', amountMinor }),
    ActivateModel: () => ({ version: 2 }),
    ChooseCurrency: () => ({ asset: 'EUR/2' }),
    MoveAsset: (amountMinor) => ({
      asset: 'EUR/2',
      from: 'cash:bank',
      to: 'reserve',
      amountMinor,
      note: null,
    }),
    PermitImport: () => ({ fileSha256: 'd'.repeat(64) }),
    ImportBalance: (amountMinor) => ({
      fileSha256: 'd'.repeat(64),
      line: 2,
      lastLine: 2,
      account: 'reserve',
      asset: 'USD/2',
      isCredit: true,
      amountMinor,
    }),
    AdjustWallet: async (amount) => ({
      ...createWalletChange(await addInvestor(0n), amount),
      isCredit: true,
    }),
    OpenInvestment: createInvestment,
    AccrueThrough: () => ({ investmentId: scene.dueInvestments.pop() ?? '', units: 1 }),
    DenyInvestment: async (amount) => {
      const { investmentId } = await addInvestment(amount)
      return { investmentId, reason }
    },
    CancelInvestment: async (amount) => {
      const { investmentId, investorId } = await addInvestment(amount)
      return { investmentId, investorId }
    },
    PayReferralBonus: () => ({ investmentId: scene.dueBonuses.pop() ?? '' }),
    AddApprover: createApprover,
    RemoveApprover: async () => {
      const { approverId } = createApprover()
      await prepare(createServerCommand('AddApprover', { approverId }))
      return { approverId, reason }
    },
    SetDualControl: () => ({ mode: 'single' }),
    SealAudit: () => ({ count: 1, head: 'c'.repeat(64) }),
    CloseMonth: () => ({
      month: '2026-01',
      size: 1,
      root: 'c'.repeat(64),
      totals: {},
      state: { size: 1, salt: 'c'.repeat(64), root: 'c'.repeat(64) },
    }),
    PermitKeyRotation: () => ({ verifierKey: `a/1+00000000+${'A'.repeat(44)}` }),
    ReplaceSigningKey: () => ({ handovers: ['a handover'], reason: null }),
  }
}

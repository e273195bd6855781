import type { DataOf } from '@cairn/ledger-contracts'
import {
  computeShare,
  findStandingProblem,
  formatAccount,
  getBalance,
  getInvestor,
  postAmount,
  type ReferenceBooks,
  type ReferenceRequest,
  sumRequestedWithdrawals,
  type Verdict,
} from './reference-books.ts'

/**
 * The limit is not imported from the ledger, so that the test notices a change to the ledger's
 * limit.
 */
const PENDING_MAX = 50

type Kind = ReferenceRequest['kind']

const PLAIN: ReferenceRequest = {
  kind: 'movement',
  status: 'success',
  investorId: '',
  amountMinor: 0n,
  feeMinor: 0n,
  feePpm: 0,
  wallet: 'balance',
  askedHour: 0,
  isCredit: true,
  cash: null,
  requestedBy: '',
  isOnHold: false,
  bank: '',
  decidedBy: null,
}

/** Adds a transaction with this id. */
export function addTransaction(
  books: ReferenceBooks,
  transactionId: string,
  request: Partial<ReferenceRequest>,
): void {
  books.requests.set(transactionId, { ...PLAIN, askedHour: books.hour, ...request })
  if (request.status === 'pending') getInvestor(books, request.investorId ?? '').pending += 1
}

export function requestDeposit(
  books: ReferenceBooks,
  data: DataOf<'RequestDeposit'>,
  actor: string,
): Verdict {
  const { transactionId, investorId, amountMinor, paymentOptionId: cash } = data
  if (books.requests.has(transactionId)) return 'ID_ALREADY_USED'
  const why = findStandingProblem(books, investorId)
  if (why !== null) return why
  if (getInvestor(books, investorId).pending >= PENDING_MAX) return 'TOO_MANY_PENDING'
  if (amountMinor < books.rules.minimumDepositMinor) return 'AMOUNT_BELOW_MINIMUM'
  const feePpm = books.rules.depositFeePpm
  const feeMinor = computeShare(amountMinor, feePpm)
  const request = { investorId, amountMinor, feePpm, feeMinor, cash, requestedBy: actor }
  addTransaction(books, transactionId, { ...request, kind: 'deposit', status: 'pending' })
  return 'recorded'
}

export function requestWithdrawal(
  books: ReferenceBooks,
  data: DataOf<'RequestWithdrawal'>,
  { actor, sender }: { actor: string; sender: string },
): Verdict {
  const { transactionId, investorId, amountMinor, source } = data
  if (books.requests.has(transactionId)) return 'ID_ALREADY_USED'
  const standing = books.investors.get(investorId)?.standing ?? 'unknown'
  const isOfAdmin = sender.startsWith('admin:')
  if (isOfAdmin && standing === 'active') return 'STANDING_CONFLICT'
  const isForInactive = ['deactivated', 'denied'].includes(standing) && isOfAdmin
  const why = isForInactive ? null : findStandingProblem(books, investorId)
  if (why !== null) return why
  if (getInvestor(books, investorId).pending >= PENDING_MAX) return 'TOO_MANY_PENDING'
  if (!isForInactive && amountMinor < books.rules.minimumWithdrawalMinor)
    return 'AMOUNT_BELOW_MINIMUM'
  if (amountMinor > getBalance(books, formatAccount(investorId, source)))
    return 'INSUFFICIENT_FUNDS'
  const { dailyWithdrawalLimitMinor: daily, monthlyWithdrawalLimitMinor: monthly } = books.rules
  const [today, thisMonth] = [
    sumRequestedWithdrawals(books, investorId, 'day'),
    sumRequestedWithdrawals(books, investorId, 'month'),
  ]
  const isOverDaily = daily !== null && today + amountMinor > daily
  const isOverMonthly = monthly !== null && thisMonth + amountMinor > monthly
  if (!isForInactive && (isOverDaily || isOverMonthly)) return 'WITHDRAWAL_LIMIT'
  const feeMinor = computeShare(amountMinor, books.rules.withdrawalFeePpm)
  const request = { investorId, amountMinor, feeMinor, wallet: source, requestedBy: actor }
  const bank = data.bankAccountSha256
  addTransaction(books, transactionId, {
    ...request,
    bank,
    kind: 'withdrawal',
    status: 'pending',
    isOnHold: isForInactive,
  })
  postAmount(
    books,
    formatAccount(investorId, source),
    formatAccount(investorId, `held:${source}`),
    amountMinor,
  )
  return 'recorded'
}

export function findPendingRequest(
  books: ReferenceBooks,
  id: string,
  kind: Kind,
): ReferenceRequest | Verdict {
  const found = books.requests.get(id)
  if (found === undefined) return 'TRANSACTION_UNKNOWN'
  // Movements of the operator's money are also transfers.
  const isTransfer = found.kind !== 'deposit' && found.kind !== 'withdrawal'
  const isKind = found.kind === kind || (kind === 'adjustment' && isTransfer)
  if (!isKind) return 'TRANSACTION_UNKNOWN'
  return found.status === 'pending' ? found : 'TRANSACTION_DECIDED'
}

function settleRequest(
  books: ReferenceBooks,
  request: ReferenceRequest,
  change: Partial<ReferenceRequest>,
): Verdict {
  const isInvestors = books.investors.has(request.investorId)
  if (request.status === 'pending' && isInvestors)
    getInvestor(books, request.investorId).pending -= 1
  Object.assign(request, change)
  return 'recorded'
}

/** Posts the money of a deposit. With a negative `sign`, reverses the postings. */
function applyDecidedDeposit(
  books: ReferenceBooks,
  request: ReferenceRequest,
  sign: 1n | -1n,
): void {
  const { amountMinor, feeMinor, investorId } = request
  const cash = `cash:${request.cash}`
  postAmount(books, cash, formatAccount(investorId, 'balance'), sign * (amountMinor - feeMinor))
  postAmount(books, cash, 'fees', sign * feeMinor)
}

function payOut(
  books: ReferenceBooks,
  request: ReferenceRequest,
  { from, sign }: { from: string; sign: 1n | -1n },
): void {
  const { amountMinor, feeMinor } = request
  postAmount(books, from, `cash:${request.cash}`, sign * (amountMinor - feeMinor))
  postAmount(books, from, 'fees', sign * feeMinor)
}

function release(books: ReferenceBooks, request: ReferenceRequest): void {
  const { investorId, amountMinor } = request
  postAmount(
    books,
    formatAccount(investorId, `held:${request.wallet}`),
    formatAccount(investorId, request.wallet),
    amountMinor,
  )
}

export function approveDeposit(
  books: ReferenceBooks,
  { transactionId, paymentOptionId, approvedMinor: amountMinor }: DataOf<'ApproveDeposit'>,
  actor: string,
): Verdict {
  const found = findPendingRequest(books, transactionId, 'deposit')
  if (typeof found === 'string') return found
  const feeMinor = computeShare(amountMinor, found.feePpm)
  const cash = paymentOptionId ?? found.cash ?? 'treasury'
  settleRequest(books, found, { status: 'success', amountMinor, feeMinor, cash, decidedBy: actor })
  applyDecidedDeposit(books, found, 1n)
  return 'recorded'
}

export function approveWithdrawal(
  books: ReferenceBooks,
  { transactionId, paymentOptionId, bankAccountSha256 }: DataOf<'ApproveWithdrawal'>,
  actor: string,
): Verdict {
  const found = findPendingRequest(books, transactionId, 'withdrawal')
  if (typeof found === 'string') return found
  if (found.bank !== bankAccountSha256) return 'BANK_ACCOUNT_CHANGED'
  const cash = paymentOptionId ?? 'treasury'
  settleRequest(books, found, { status: 'success', cash, decidedBy: actor })
  payOut(books, found, { from: formatAccount(found.investorId, `held:${found.wallet}`), sign: 1n })
  return 'recorded'
}

export function holdWithdrawal(books: ReferenceBooks, id: string): Verdict {
  const found = findPendingRequest(books, id, 'withdrawal')
  if (typeof found === 'string') return found
  if (found.isOnHold) return 'ALREADY_ON_HOLD'
  found.isOnHold = true
  return 'recorded'
}

export function decline(
  books: ReferenceBooks,
  { transactionId, actor }: { transactionId: string; actor: string },
  kind: 'deposit' | 'withdrawal',
): Verdict {
  const found = findPendingRequest(books, transactionId, kind)
  if (typeof found === 'string') return found
  if (kind === 'withdrawal') release(books, found)
  return settleRequest(books, found, { status: 'declined', decidedBy: actor })
}

export function cancelRequest(
  books: ReferenceBooks,
  { transactionId, investorId }: DataOf<'CancelDeposit'>,
  kind: 'deposit' | 'withdrawal',
): Verdict {
  const found = findPendingRequest(books, transactionId, kind)
  if (typeof found === 'string') return found
  if (found.investorId !== investorId) return 'NOT_YOURS'
  if (kind === 'withdrawal') release(books, found)
  return settleRequest(books, found, { status: 'cancelled' })
}

export function reverseTransaction(
  books: ReferenceBooks,
  { transactionId, to, paymentOptionId, actor }: DataOf<'ReverseDeposit'> & { actor: string },
  kind: 'deposit' | 'withdrawal',
): Verdict {
  const found = books.requests.get(transactionId)
  if (found === undefined || found.kind !== kind) return 'TRANSACTION_UNKNOWN'
  if (['pending', 'cancelled', to].includes(found.status)) return 'NOT_REVERSIBLE'
  if (books.investors.get(found.investorId)?.standing === 'closed') return 'INVESTOR_UNKNOWN'
  const own = formatAccount(found.investorId, found.wallet)
  const isOut = (kind === 'deposit') === (to === 'declined')
  const neededMinor = kind === 'deposit' ? found.amountMinor - found.feeMinor : found.amountMinor
  if (isOut && getBalance(books, own) < neededMinor) return 'INSUFFICIENT_FUNDS'
  if (to === 'declined' && getBalance(books, 'fees') < found.feeMinor) return 'INSUFFICIENT_FUNDS'
  const cash = paymentOptionId ?? found.cash ?? 'treasury'
  settleRequest(books, found, { status: to, cash, decidedBy: actor })
  const sign = to === 'success' ? 1n : -1n
  if (kind === 'deposit') applyDecidedDeposit(books, found, sign)
  else payOut(books, found, { from: own, sign })
  return 'recorded'
}

export function adjust(books: ReferenceBooks, data: DataOf<'AdjustWallet'>): Verdict {
  const { transactionId, investorId, amountMinor, isCredit } = data
  if (books.requests.has(transactionId)) return 'ID_ALREADY_USED'
  const investor = books.investors.get(investorId)
  if (investor === undefined || investor.standing === 'closed') return 'INVESTOR_UNKNOWN'
  const own = formatAccount(investorId, data.wallet)
  if (!isCredit && getBalance(books, own) < amountMinor) return 'INSUFFICIENT_FUNDS'
  const operator = data.wallet === 'profit' ? 'reserve' : 'adjustments'
  postAmount(books, operator, own, isCredit ? amountMinor : -amountMinor)
  addTransaction(books, transactionId, { investorId, amountMinor, isCredit, wallet: data.wallet })
  return 'recorded'
}

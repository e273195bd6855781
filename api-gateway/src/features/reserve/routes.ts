import {
  fundReserve,
  getCoverage,
  getReserve,
  type LedgerCoverage,
  type Reserve,
  sweepToReserve,
  toAmount,
  withdrawReserve,
} from '@cairn/gateway-contracts'
import { TREASURY } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { declareRoute, type Exchange, type Route } from '../../platform/http/registry.ts'
import {
  getRequestedLedger,
  listLedgerClients,
} from '../../platform/ledger-client/requested-ledger.ts'
import {
  type RequestDependencies,
  type Sending,
  submitOrRequest,
} from '../change-requests/index.ts'
import { requireCopied } from '../ledgers/index.ts'
import { formatOptionName } from '../payment-options/index.ts'
import { joinCoverages, type LedgerBook, readBooks } from './books.ts'
import { listCash, sumPaymentAccounts } from './cash.ts'
import { createReserveChanges } from './reserve-changes.ts'
import { findSecondApprovalTime } from './second-approval.ts'

type ReserveDependencies = RequestDependencies & Pick<Dependencies, 'ledgers'>

export function createReserveRoutes(deps: ReserveDependencies): readonly Route[] {
  const changes = createReserveChanges(deps)
  const money = { rate: 'money', owner: 'any', needsFreshFactor: true } as const
  return [
    createCoverageRoute(deps),
    declareRoute(
      getReserve,
      { rate: 'read', owner: 'any', audit: null },
      async ({ query }, { nowMs }) => ({
        reserve: await readReserve(deps, { requested: query.ledger, nowMs }),
      }),
    ),
    declareRoute(fundReserve, { ...money, audit: 'reserve.fund' }, ({ body }, exchange) => {
      const { amount: amountMinor, note } = body
      const data = { transactionId: exchange.subjectId, amountMinor, note }
      const definition = changes['reserve-funding']
      return moveReserve(deps, exchange, { type: 'FundReserve', definition, data, body })
    }),
    declareRoute(withdrawReserve, { ...money, audit: 'reserve.withdraw' }, ({ body }, exchange) => {
      const { amount: amountMinor, note } = body
      const data = { transactionId: exchange.subjectId, amountMinor, note }
      const definition = changes['reserve-withdrawal']
      return moveReserve(deps, exchange, { type: 'WithdrawReserve', definition, data, body })
    }),
    declareRoute(sweepToReserve, { ...money, audit: 'reserve.sweep' }, ({ body }, exchange) => {
      const { amount: amountMinor, from } = body
      const data = { transactionId: exchange.subjectId, from, amountMinor }
      const definition = changes['reserve-sweep']
      return moveReserve(deps, exchange, { type: 'SweepToReserve', definition, data, body })
    }),
  ]
}

async function moveReserve<Type extends 'FundReserve' | 'WithdrawReserve' | 'SweepToReserve'>(
  deps: ReserveDependencies,
  exchange: Exchange,
  {
    body: { note, ledger: requested },
    ...act
  }: Pick<Sending<Type>, 'definition' | 'data'> & {
    type: Type
    body: { note: string | null; ledger?: number | undefined }
  },
): Promise<{ reserve: Reserve }> {
  const { key, nowMs } = exchange
  const ledger = await chooseFurther(deps, requested)
  const reason = { about: null, reason: note, reasonField: 'note' } as const
  const sending = { ...act, ...reason, key, ledger, fields: ['amount'] }
  const { event } = await submitOrRequest(deps, exchange, sending)
  // The cast is safe because each of the three commands has these fields.
  const moved = act.data as { transactionId: string; amountMinor: bigint; from?: string }
  const named = ledger === undefined ? {} : { ledger }
  exchange.note({ subject: exchange.subjectId, event: String(event.seq), ...named, ...moved, note })
  return { reserve: await readReserve(deps, { requested, nowMs }) }
}

/**
 * Returns the further ledger that the request names; undefined for the first one. Throws if the site
 * has no such ledger, or if the ledger does not have the approvers and rules yet.
 */
async function chooseFurther(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'ledgers'>,
  requested: number | undefined,
): Promise<number | undefined> {
  await getRequestedLedger(deps, requested)
  if (requested === undefined || requested === deps.ledgers.first) return undefined
  await requireCopied(deps.db, requested)
  return requested
}

function createCoverageRoute(deps: Pick<Dependencies, 'ledger' | 'ledgers'>): Route {
  return declareRoute(
    getCoverage,
    { rate: 'read', owner: 'any', audit: null },
    async (_request, { nowMs }) => {
      const listed = await listLedgerClients(deps)
      const [books, { rules }, accounts] = await Promise.all([
        readBooks(listed),
        deps.ledger.ask('rules', {}),
        listCash(listed),
      ])
      const book = joinCoverages(books.map(({ coverage }) => coverage))
      return {
        coverage: {
          reserve: toAmount(book.reserveMinor),
          committed: toAmount(book.committedMinor),
          shortfall: toAmount(book.shortfallMinor),
          percentage: book.percentage,
          mode: rules.coverageMode,
          asOf: new Date(nowMs).toISOString(),
          liabilities: toAmount(book.liabilitiesMinor),
          fees: toAmount(book.feesMinor),
          income: toAmount(book.incomeMinor),
          marketing: toAmount(book.marketingMinor),
          adjustments: toAmount(book.adjustmentsMinor),
          opening: toAmount(book.openingMinor),
          cash: toAmount(book.cashMinor),
          paymentAccounts: toAmount(sumPaymentAccounts(accounts)),
          ...toLedgersField(books),
        },
      }
    },
  )
}

/** Returns the coverage of each ledger, if the site has more than one. */
function toLedgersField(books: readonly LedgerBook[]): { ledgers?: LedgerCoverage[] } {
  if (books.length === 1) return {}
  return {
    ledgers: books.map(({ ledger, size, coverage }) => ({
      ledger,
      events: Number(size),
      reserve: toAmount(coverage.reserveMinor),
      committed: toAmount(coverage.committedMinor),
      shortfall: toAmount(coverage.shortfallMinor),
      percentage: coverage.percentage,
      liabilities: toAmount(coverage.liabilitiesMinor),
      cash: toAmount(coverage.cashMinor),
    })),
  }
}

async function readReserve(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'ledgers'>,
  { requested, nowMs }: { requested: number | undefined; nowMs: number },
): Promise<Reserve> {
  const ledger = await getRequestedLedger(deps, requested)
  const listed =
    requested === undefined
      ? await listLedgerClients(deps)
      : [{ ledger: requested, client: ledger }]
  const [books, { rules }, cash, secondApprovalFrom] = await Promise.all([
    readBooks(listed),
    ledger.ask('rules', {}),
    listCash(listed),
    requested === undefined ? null : findSecondApprovalTime(ledger, nowMs),
  ])
  const names = await readOptionNames(
    deps,
    cash.map(({ option }) => option),
  )
  const book = joinCoverages(books.map(({ coverage }) => coverage))
  return {
    reserve: toAmount(book.reserveMinor),
    committed: toAmount(book.committedMinor),
    fees: toAmount(book.feesMinor),
    income: toAmount(book.incomeMinor),
    marketing: toAmount(book.marketingMinor),
    adjustments: toAmount(book.adjustmentsMinor),
    opening: toAmount(book.openingMinor),
    liabilities: toAmount(book.liabilitiesMinor),
    cash: cash.map(({ option, balanceMinor }) => ({
      option,
      name: option === TREASURY ? 'Treasury' : (names.get(option) ?? 'Former payment option'),
      balance: toAmount(balanceMinor),
    })),
    coverage: book.percentage,
    mode: rules.coverageMode,
    ...toLedgersField(books),
    ...(secondApprovalFrom === null ? {} : { secondApprovalFrom }),
  }
}

/**
 * Returns the names of these payment options by id. An archived option has a name too, because the
 * ledger keeps its balance.
 */
async function readOptionNames(
  { db }: Pick<Dependencies, 'db'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('platform.payment_option')
    .select(['id', 'pay_option', 'bank', 'archived_at'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, formatOptionName(row)]))
}

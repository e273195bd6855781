import {
  fundReserve,
  getCoverage,
  getReserve,
  type Reserve,
  sweepToReserve,
  toAmount,
  withdrawReserve,
} from '@cairn/gateway-contracts'
import { type Command, referenceOf } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { callerOf, type Exchange, type Route, route } from '../../platform/http/registry.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { toFirstApproval } from '../transactions/index.ts'
import { coverageOf } from './coverage.ts'

const OPTIONS_MAX = 500

export function createReserveRoutes(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'live'>,
): readonly Route[] {
  const money = { rate: 'money', owner: 'any', needsFreshFactor: true } as const
  return [
    createCoverageRoute(deps),
    route(getReserve, { rate: 'read', owner: 'any', audit: null }, async () => ({
      reserve: await readReserve(deps),
    })),
    route(fundReserve, { ...money, audit: 'reserve.fund' }, ({ body }, exchange) =>
      move(deps, exchange, {
        type: 'FundReserve',
        data: { transactionId: exchange.subjectId, amountMinor: body.amount, note: body.note },
        ...envelopeOf(exchange),
      }),
    ),
    route(withdrawReserve, { ...money, audit: 'reserve.withdraw' }, ({ body }, exchange) =>
      move(deps, exchange, {
        type: 'WithdrawReserve',
        data: { transactionId: exchange.subjectId, amountMinor: body.amount, note: body.note },
        ...envelopeOf(exchange),
      }),
    ),
    route(sweepToReserve, { ...money, audit: 'reserve.sweep' }, ({ body }, exchange) =>
      move(deps, exchange, {
        type: 'SweepToReserve',
        data: { transactionId: exchange.subjectId, from: body.from, amountMinor: body.amount },
        ...envelopeOf(exchange),
      }),
    ),
  ]
}

function envelopeOf(exchange: Exchange) {
  return {
    actor: `admin:${callerOf(exchange).userId}`,
    key: exchange.key,
    requestId: exchange.requestId,
    effectiveAt: null,
  }
}

async function move(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'live'>,
  exchange: Exchange,
  command: Command,
): Promise<{ reserve: Reserve }> {
  const { event } = await submit(deps.ledger, command)
  if (event.type === 'ReserveWithdrawalProposed' || event.type === 'SweepProposed') {
    const { subjectId: subject } = exchange
    const reference = referenceOf(subject)
    const isSweep = event.type === 'SweepProposed'
    throw await toFirstApproval(deps, exchange, {
      action: isSweep ? 'reserve.propose-sweep' : 'reserve.propose-withdrawal',
      subject,
      details: { event: String(event.seq), ...command.data },
      title: `${isSweep ? 'A sweep to' : 'A withdrawal from'} the reserve needs a second administrator`,
      link: '/manage/admin/approvals',
      message: `Recorded as ${reference}. Another administrator has to approve it under Approvals.`,
    })
  }
  exchange.note({ subject: exchange.subjectId, event: String(event.seq), ...command.data })
  return { reserve: await readReserve(deps) }
}

function createCoverageRoute(deps: Pick<Dependencies, 'ledger'>): Route {
  return route(
    getCoverage,
    { rate: 'read', owner: 'any', audit: null },
    async (_request, { nowMs }) => {
      const [{ totals }, { rules }] = await Promise.all([
        deps.ledger.ask('totals', {}),
        deps.ledger.ask('rules', {}),
      ])
      const book = coverageOf(new Map(Object.entries(totals.byKind)))
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
          cash: toAmount(book.cashMinor),
        },
      }
    },
  )
}

async function readReserve(deps: Pick<Dependencies, 'db' | 'ledger'>): Promise<Reserve> {
  const [{ totals }, { rules }, { accounts }] = await Promise.all([
    deps.ledger.ask('totals', {}),
    deps.ledger.ask('rules', {}),
    deps.ledger.ask('accounts', { prefix: 'cash:', after: null, limit: OPTIONS_MAX }),
  ])
  const names = await nameOptions(deps)
  const amount = (kind: string) => toAmount(totals.byKind[kind] ?? 0n)
  const book = coverageOf(new Map(Object.entries(totals.byKind)))
  return {
    reserve: amount('reserve'),
    committed: amount('committed'),
    fees: amount('fees'),
    income: amount('income'),
    marketing: amount('marketing'),
    adjustments: amount('adjustments'),
    liabilities: toAmount(book.liabilitiesMinor),
    // Cash is an asset, so its balance is a debit, which is negative.
    cash: accounts.map(({ account, balanceMinor }) => {
      const option = account.slice('cash:'.length)
      return { option, name: names.get(option) ?? 'Treasury', balance: toAmount(-balanceMinor) }
    }),
    coverage: book.percentage,
    mode: rules.coverageMode,
  }
}

/** Includes archived options, because the ledger keeps their balances. */
async function nameOptions({ db }: Pick<Dependencies, 'db'>): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('platform.payment_option')
    .select(['id', 'pay_option', 'bank'])
    .limit(OPTIONS_MAX)
    .execute()
  return new Map(rows.map(({ id, pay_option, bank }) => [id, `${bank} (${pay_option})`]))
}

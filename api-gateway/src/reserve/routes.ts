import { fundReserve, getReserve, type Reserve, toAmount } from '@cairn/gateway-contracts'
import type { Dependencies } from '../dependencies.ts'
import { callerOf, type Route, route } from '../http/registry.ts'
import { submit } from '../ledger/refusal.ts'

export function reserveRoutes(deps: Dependencies): readonly Route[] {
  return [
    route(getReserve, { rate: 'read', owner: 'any', audit: null }, async () => ({
      reserve: await readReserve(deps),
    })),
    route(
      fundReserve,
      { rate: 'money', owner: 'any', audit: 'reserve.fund' },
      async ({ body }, exchange) => {
        await submit(deps.ledger, {
          type: 'FundReserve',
          data: { transactionId: exchange.subjectId, amountMinor: body.amount, note: body.note },
          actor: `admin:${callerOf(exchange).userId}`,
          key: exchange.key,
          requestId: exchange.requestId,
          effectiveAt: null,
        })
        exchange.note({ subject: exchange.subjectId, amountMinor: body.amount })
        return { reserve: await readReserve(deps) }
      },
    ),
  ]
}

async function readReserve(deps: Dependencies): Promise<Reserve> {
  const { totals } = await deps.ledger.ask('totals', {})
  const amount = (kind: keyof Reserve) => toAmount(totals.byKind[kind] ?? 0n)
  return {
    reserve: amount('reserve'),
    committed: amount('committed'),
    fees: amount('fees'),
    income: amount('income'),
    marketing: amount('marketing'),
    adjustments: amount('adjustments'),
  }
}

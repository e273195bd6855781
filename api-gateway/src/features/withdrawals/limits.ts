import { listMyWithdrawalLimits, toAmount } from '@cairn/gateway-contracts'
import { computeWithdrawalAllowances, type Refused } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { findInvestor } from '../../platform/ledger-client/investors.ts'
import { formatMoney } from '../../platform/site-format.ts'

const NOTHING_COUNTED = { day: null, dayMinor: 0n, monthMinor: 0n }
const FORMAT = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

export function createWithdrawalLimitRoutes(deps: Pick<Dependencies, 'ledger'>): readonly Route[] {
  return [
    declareRoute(
      listMyWithdrawalLimits,
      { rate: 'read', owner: 'own', audit: null },
      async (_request, exchange) => {
        const [{ rules }, investor] = await Promise.all([
          deps.ledger.ask('rules', {}),
          findInvestor(deps.ledger, getCaller(exchange).userId),
        ])
        const counted = investor?.counted ?? NOTHING_COUNTED
        const room = computeWithdrawalAllowances(rules, counted, exchange.nowMs)
        return {
          limits: room.map(({ period, limitMinor, leftMinor, renewsAt }) => ({
            period,
            limit: toAmount(limitMinor),
            left: toAmount(leftMinor),
            renewsAt,
          })),
        }
      },
    ),
  ]
}

/**
 * Converts the ledger's refusal of a withdrawal above a limit to a failure. The message names the
 * limit, the amount that is left and the time at which the limit renews.
 */
export function toLimitFailure({ code, details }: Refused): HttpFailure {
  const limit = formatMoney(BigInt(details.limitMinor ?? 0))
  const left = formatMoney(BigInt(details.leftMinor ?? 0))
  const renewsAt = details.renewsAt ?? ''
  const time = FORMAT.format(new Date(renewsAt))
  const [period, now] = details.period === 'day' ? ['day', 'Today'] : ['month', 'This month']
  const message = `Withdrawals are limited to ${limit} a ${period}. ${now} you can still withdraw ${left}; the limit renews on ${time} UTC.`
  return new HttpFailure(422, code, message, { details: { period, left, renewsAt } })
}

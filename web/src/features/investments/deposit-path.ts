import { useQuery } from '@tanstack/react-query'

import { findGrossAmount } from '../../shared/money/fees.ts'
import { type Minor, toAmountText, toMinor } from '../../shared/money/money.ts'
import { settingsQueries } from '../settings/index.ts'

/**
 * Returns the path of the deposit form with the amount that adds `missing` to the Wallet Balance.
 * Until the fee is known, the path has no amount.
 */
export function useDepositPath(missing: Minor): string {
  const settings = useQuery(settingsQueries.readPublic()).data
  if (settings === undefined) return '/manage/investor/deposit'
  const min = toMinor(settings.minDeposit)
  const gross = findGrossAmount(missing, settings.depositFee)
  const isBelowMin = gross < min
  const amount = isBelowMin ? min : gross
  return `/manage/investor/deposit?amount=${toAmountText(amount)}`
}

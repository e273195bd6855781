import { useQuery } from '@tanstack/react-query'

import { findGrossAmount } from '../../shared/money/fees.ts'
import { type Minor, toAmountText, toMinor } from '../../shared/money/money.ts'
import { settingsQueries } from '../settings/index.ts'

/** Returns the path of the deposit form with the amount that adds `missing` to the Wallet Balance. */
export function useDepositPath(missing: Minor): string {
  const settings = useQuery(settingsQueries.readPublic()).data
  const min = settings === undefined ? 0n : toMinor(settings.minDeposit)
  const gross = findGrossAmount(missing, settings?.depositFee ?? 0)
  return `/manage/investor/deposit?amount=${toAmountText(gross < min ? min : gross)}`
}

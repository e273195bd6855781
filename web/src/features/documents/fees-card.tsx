import { useQuery } from '@tanstack/react-query'

import { formatMoneyBriefly, toMinor } from '../../shared/money/money.ts'
import { formatPercent } from '../../shared/money/percent.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { describeWithdrawalLimits, settingsQueries } from '../settings/index.ts'

/** Shows the fees and limits in force. */
export function FeesCard() {
  const { data: settings, isError, refetch, isFetching } = useQuery(settingsQueries.readPublic())
  const most = settings === undefined ? null : describeWithdrawalLimits(settings)
  return (
    <Card>
      <CardHeader title="Fees and limits" />
      <div className="px-5 py-3">
        {isError && settings === undefined && (
          <FailedState
            message="The fees could not be loaded."
            onRetry={refetch}
            pending={isFetching}
          />
        )}
        {settings === undefined && !isError && <Skeleton className="h-61 w-full" />}
        {settings !== undefined && (
          <FactList>
            <Fact name="Deposit fee">{describeShare(settings.depositFee)}</Fact>
            <Fact name="Withdrawal fee">{describeShare(settings.withdrawalFee)}</Fact>
            <Fact name="Investment fee">None</Fact>
            <Fact name="Minimum deposit">{formatMoneyBriefly(toMinor(settings.minDeposit))}</Fact>
            <Fact name="Minimum withdrawal">
              {formatMoneyBriefly(toMinor(settings.minWithdrawal))}
            </Fact>
            <Fact name="Withdrawal limit">{most === null ? 'None' : `${most} (UTC)`}</Fact>
          </FactList>
        )}
      </div>
      <p className="max-w-none border-line border-t px-5 py-3 text-12 text-muted">
        The fee is shown before you confirm and does not change after your request. There is no
        other fee.
      </p>
    </Card>
  )
}

function describeShare(percent: number): string {
  return percent === 0 ? 'None' : `${formatPercent(percent)} of the amount`
}

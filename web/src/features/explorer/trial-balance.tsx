import { exportTrialBalance } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { getTimeZone, useReader } from '../../shared/dates/reader.ts'
import { toInstant } from '../../shared/dates/wall-clock.ts'
import { toMinor } from '../../shared/money/money.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { describeKind } from './describe-event.ts'
import { explorerQueries } from './queries.ts'

/** Shows all accounts by kind, now or at a given time. A sum other than zero is an error. */
export function TrialBalance() {
  const [typed, setTyped] = useState('')
  const at = toInstant(typed, getTimeZone(useReader()))
  const { data, isError, refetch, isFetching } = useQuery(explorerQueries.trialBalance(at))
  return (
    <Card>
      <CardHeader
        title="Trial balance"
        note={data === undefined ? undefined : `After event ${data.seq}`}
        action={<CsvLink endpoint={exportTrialBalance} query={{ at }} what="the trial balance" />}
      />
      <div className="grid gap-4 p-5">
        <Field label="At" hint="Empty: now" className="max-w-xs">
          {(ids) => (
            <Input
              {...ids}
              type="datetime-local"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
        {isError && (
          <FailedState
            message="The trial balance could not be loaded."
            onRetry={refetch}
            pending={isFetching}
          />
        )}
        {data === undefined && !isError && <Skeleton className="h-40 w-full rounded-card" />}
        {data !== undefined && (
          <>
            {data.sum !== 0 && (
              <Notice tone="error">
                The ledger does not balance. Stop all money decisions and verify the whole log.
              </Notice>
            )}
            <dl className="grid gap-x-10 text-14 sm:grid-cols-2">
              {data.rows.map(({ kind, balance }) => (
                <div key={kind} className="flex justify-between gap-6 border-line border-b py-2">
                  <dt className="text-muted">{describeKind(kind)}</dt>
                  <dd>
                    <MoneyText minor={toMinor(balance)} />
                  </dd>
                </div>
              ))}
              <div className="flex justify-between gap-6 border-line border-b py-2 font-semibold">
                <dt>Sum</dt>
                <dd>
                  <MoneyText minor={toMinor(data.sum)} />
                </dd>
              </div>
            </dl>
          </>
        )}
      </div>
    </Card>
  )
}

import type { Verification } from '@cairn/gateway-contracts'
import { exportVerifications, NIGHTLY_VERIFICATION } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX, Clock, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { Allowed } from '../../shared/session/permissions.tsx'
import { Badge } from '../../shared/ui/badge.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { toLedgerQuery } from '../../shared/url/ledger-of-url.ts'
import { describeVerification } from './describe-verification.ts'
import { explorerQueries, useStartVerification } from './queries.ts'

const RUNS_SHOWN = 5
/**
 * The start of the verification. This size is larger than any ledger, so the verification continues
 * from the newest verified state.
 */
const ANY_SIZE = '1000000000000000'
const MARKS = {
  running: { tone: 'pending', icon: Clock, word: 'Running' },
  agrees: { tone: 'success', icon: CircleCheck, word: 'Agrees' },
  differs: { tone: 'declined', icon: CircleX, word: 'Differs' },
  'cut-off': { tone: 'neutral', icon: TriangleAlert, word: 'Interrupted' },
} as const

type VerificationCardProps = {
  ledger: number | null
  /**
   * The number of events of the newest checkpoint; null if it is not known, and undefined while it
   * loads. The results wait for it, because their sentences would change their length.
   */
  signed: string | null | undefined
}

/** Starts verifications on the server and shows their results and their limits. */
export function VerificationCard({ ledger, signed }: VerificationCardProps) {
  const [since, setSince] = useState('0')
  const runs = useQuery(explorerQueries.listVerifications(ledger))
  const start = useStartVerification(ledger)
  const isRunning = runs.data?.verifications.some(({ state }) => state === 'running') === true
  const data = signed === undefined ? undefined : runs.data
  const startCheckedAt = data?.startCheckedAt ?? null
  // The newest result comes first. The verifications are already in this order.
  const shown = data?.verifications.slice(0, RUNS_SHOWN) ?? []
  const newer = shown.filter(
    ({ startedAt }) => startCheckedAt === null || startedAt > startCheckedAt,
  )
  return (
    <Card>
      <CardHeader
        title="Verify the ledger"
        action={
          <span className="flex flex-wrap items-center gap-2">
            <Allowed permission="ledger.verify">
              <Select
                className="sm:h-10"
                aria-label="Start"
                value={since}
                onChange={(event) => setSince(event.target.value)}
              >
                <option value="0">From the first event</option>
                <option value={ANY_SIZE}>From the last verified state</option>
              </Select>
              <Button
                look="primary"
                pending={start.isPending}
                disabled={isRunning}
                onClick={() => start.mutate(since)}
              >
                Verify
              </Button>
            </Allowed>
            <CsvLink
              endpoint={exportVerifications}
              query={toLedgerQuery(ledger)}
              what="verifications"
            />
          </span>
        }
      />
      <div className="grid gap-4 p-5 text-14">
        <p className="text-muted">
          Compares events, hashes, postings, balances, checkpoints, month ends and the protections
          of the database. Checks that the rules lead to the recorded result of each request, and
          that every list and total of the ledger follows from the events. Not checked: the
          checkpoint file outside the database. A run from the last verified state reads only newer
          events. A verification starts every night at 02:00 UTC, from the first event once a week;
          if a difference is found, all administrators get an email.
        </p>
        {start.isError && (
          <Notice tone="error">
            {getErrorMessage(start.error, 'The verification was not started.')}
          </Notice>
        )}
        {runs.isError && (
          <FailedState
            message={getErrorMessage(runs.error, 'The verifications could not be loaded.')}
            error={runs.error}
            onRetry={runs.refetch}
            pending={runs.isFetching}
          />
        )}
        <ul className="grid min-h-22 content-start gap-4 sm:min-h-6" aria-live="polite">
          {data === undefined && !runs.isError && (
            <li>
              <Skeleton className="h-6 w-72 max-w-full" />
            </li>
          )}
          {newer.map((run) => (
            <VerificationRun key={run.id} run={run} signed={signed ?? null} />
          ))}
          <StartCheck at={startCheckedAt} />
          {shown.slice(newer.length).map((run) => (
            <VerificationRun key={run.id} run={run} signed={signed ?? null} />
          ))}
        </ul>
      </div>
    </Card>
  )
}

/**
 * Shows the result of the start check. The ledger accepts commands only after it has passed this
 * check.
 */
function StartCheck({ at }: { at: string | null }) {
  if (at === null) return null
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t pt-4 first:border-t-0 first:pt-0">
      <Badge {...MARKS.agrees} />
      <span>Start check: newest checkpoint and protections of the database</span>
      <span className="text-12 text-muted">
        <DateText at={at} format="moment" />
      </span>
    </li>
  )
}

function VerificationRun({ run, signed }: { run: Verification; signed: string | null }) {
  return (
    <li className="grid gap-2 border-line border-t pt-4 first:border-t-0 first:pt-0">
      <span className="flex flex-wrap items-center gap-3">
        <Badge {...MARKS[run.state]} />
        <span className="max-w-[64ch]">{describeVerification(run, signed)}</span>
      </span>
      <span className="tabular text-12 text-muted">
        {run.person?.name ??
          (run.requestedBy === NIGHTLY_VERIFICATION ? 'Every night' : run.requestedBy)}
        , <DateText at={run.startedAt} format="moment" />
        {run.finishedAt !== null && (
          <>
            . Compared: {formatCounted(BigInt(run.postings), 'posting')},{' '}
            {formatCounted(BigInt(run.checkpoints), 'checkpoint')}
          </>
        )}
      </span>
      {run.state === 'differs' && (
        <Notice tone="error">
          {run.firstBadSeq !== null && (
            <>
              First inconsistency:{' '}
              <TextLink to={`/manage/admin/ledger/${run.firstBadSeq}`} className="text-current">
                event {run.firstBadSeq}
              </TextLink>
              .{' '}
            </>
          )}
          {run.problems.join('. ')}
        </Notice>
      )}
    </li>
  )
}

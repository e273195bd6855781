import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'

import { getRootKey } from '../../shared/api/query-keys.ts'
import { Button } from '../../shared/ui/button.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import type { CheckpointVerdict } from './live-check.ts'
import { KEY_RULE } from './pinned-keys.ts'
import { Result } from './verification-result.tsx'

/** Verifies the newest checkpoint. The code of the verification loads only when it is needed. */
export function CheckpointCheck() {
  const check = useQuery({
    queryKey: [...getRootKey('logKey'), 'checkpoint'],
    queryFn: async ({ signal }) => (await import('./live-check.ts')).checkLatestCheckpoint(signal),
    enabled: false,
  })
  return (
    <>
      <p className="text-14 text-muted">
        Normally within a minute of each event, the ledger signs the number of its events and their
        root, which is one hash of all events.
      </p>
      <Button
        look="primary"
        className="w-fit"
        pending={check.isFetching}
        onClick={() => void check.refetch()}
      >
        Verify the latest checkpoint
      </Button>
      {check.isError ? (
        <FailedState
          message="The checkpoint could not be loaded."
          error={check.error}
          onRetry={check.refetch}
          pending={check.isFetching}
        />
      ) : check.data === null ? (
        <p className="text-14 text-muted">The ledger has no checkpoint yet.</p>
      ) : (
        <Steps key={check.dataUpdatedAt} verdict={check.data} />
      )}
      <p className="text-12 text-muted">Your browser does the check. {KEY_RULE}</p>
    </>
  )
}

function Steps({ verdict }: { verdict: CheckpointVerdict | undefined }) {
  const matches = verdict?.matches ?? -1
  const facts = verdict?.isRight === true ? verdict : undefined
  return (
    <>
      <ol className="divide-y divide-line border-line border-y text-14">
        <Step name="Signature" place={0} matches={matches}>
          {facts === undefined ? 'Ed25519' : `Signed by ${facts.origin}`}
        </Step>
        <Step name="Size" place={1} matches={matches}>
          {facts === undefined ? 'Number of events' : formatCounted(facts.size, 'event')}
        </Step>
        <Step name="Root" place={2} matches={matches}>
          {facts === undefined ? (
            'Hash of all events'
          ) : (
            <code title={facts.root}>{facts.root.slice(0, 16)}…</code>
          )}
        </Step>
      </ol>
      {/* The height is the same before and after a successful verification. */}
      <div className="min-h-10 text-14 sm:min-h-5">
        {verdict === undefined ? (
          <p className="text-muted">Not verified yet.</p>
        ) : verdict.isRight ? (
          <Result isRight>The signature matches the size and root of the ledger.</Result>
        ) : (
          <Result isRight={false}>
            <strong>This record does not match.</strong> Reason: {verdict.reason}.
          </Result>
        )}
      </div>
    </>
  )
}

type StepProps = {
  name: string
  place: number
  /** The number of the first steps that match; -1 before the verification. */
  matches: number
  children: ReactNode
}

function Step({ name, place, matches, children }: StepProps) {
  const isBroken = place === matches
  const Icon = isBroken ? CircleAlert : CircleCheck
  return (
    <li className="flex min-h-11 flex-wrap items-center gap-x-3 py-2.5">
      {place <= matches ? (
        <span className="proof-step" style={{ '--place': place }}>
          <Icon
            aria-hidden="true"
            className={joinClasses('size-5', isBroken ? 'text-declined' : 'text-success')}
          />
          <span className="sr-only">{isBroken ? 'Does not match: ' : 'Matches: '}</span>
        </span>
      ) : (
        <span
          aria-hidden="true"
          className="size-5 rounded-full border border-line-strong border-dashed"
        />
      )}
      <span className={joinClasses('font-medium', isBroken && 'text-declined')}>{name}</span>
      <span className="ml-auto break-all text-right text-muted">{children}</span>
    </li>
  )
}

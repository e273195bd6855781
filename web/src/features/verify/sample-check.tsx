import { formatCount, formatCounted } from '@cairn/gateway-contracts/counted'
import { useQuery } from '@tanstack/react-query'
import { CircleX } from 'lucide-react'
import { type ReactNode, useState } from 'react'

import { getRootKey } from '../../shared/api/query-keys.ts'
import { Button } from '../../shared/ui/button.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import type { SampleVerdict } from './live-check.ts'
import { Result } from './verification-result.tsx'

/** Verifies the sample receipt, and a copy of it with one changed character. Shows both results. */
export function SampleCheck() {
  const [isChanged, setChanged] = useState(false)
  const check = useQuery({
    queryKey: [...getRootKey('logKey'), 'sample', isChanged],
    queryFn: async ({ signal }) => {
      const { checkSample, readSample } = await import('./live-check.ts')
      const sample = await readSample(signal)
      return sample === null ? null : checkSample(sample, { isChanged })
    },
    placeholderData: (shown) => shown,
  })
  const verdict = check.data
  if (check.isError) {
    return (
      <FailedState
        message="The sample receipt could not be loaded."
        error={check.error}
        onRetry={check.refetch}
        pending={check.isFetching}
      />
    )
  }
  if (verdict === undefined) return <Skeleton className="h-80 w-full rounded-card" />
  if (verdict === null) {
    return (
      <p className="text-14 text-muted">
        The sample is the receipt of a plan, and no plan is on offer at the moment.
      </p>
    )
  }
  return (
    <>
      {verdict.hashes !== null && (
        <>
          <p className="text-14">
            Sample: the plan <strong>{verdict.planName}</strong> as recorded, event{' '}
            <span className="tabular">{formatCount(verdict.seq)}</span>
          </p>
          <RecordText record={verdict.record} isChanged={isChanged} />
          <ProofBars key={String(verdict.isRight)} verdict={verdict} />
        </>
      )}
      {verdict.isRight ? (
        <Result isRight>
          This record is one of the first{' '}
          <span className="tabular">{formatCounted(verdict.size, 'event')}</span> of the signed
          ledger.
        </Result>
      ) : (
        <Result isRight={false}>
          <strong>This record does not match.</strong> Reason: {verdict.reason}.
        </Result>
      )}
      {verdict.hashes === null ? (
        <Button size="small" className="w-fit" onClick={() => void check.refetch()}>
          Retry
        </Button>
      ) : (
        <Button className="w-fit" onClick={() => setChanged(!isChanged)}>
          {isChanged ? 'Restore the record' : 'Change one character'}
        </Button>
      )}
    </>
  )
}

function RecordText({
  record,
  isChanged,
}: {
  record: SampleVerdict['record']
  isChanged: boolean
}) {
  const { before, character, after } = record
  const from = Math.max(0, before.lastIndexOf('"minimumMinor"'))
  const until = after.indexOf('}')
  return (
    <p className="wrap-anywhere rounded-card bg-sunken px-3 py-2 font-mono text-12">
      …{before.slice(from)}
      <mark
        className={joinClasses(
          'rounded-sm px-0.5 font-bold',
          isChanged ? 'bg-declined text-surface' : 'bg-accent-soft text-ink',
        )}
      >
        {character}
      </mark>
      {after.slice(0, until)}…
    </p>
  )
}

/**
 * Draws the hashes from the record at the bottom to the computed root, with the signed root at the
 * top. If the roots differ, marks the computed hashes, because the signed root was not changed.
 */
function ProofBars({ verdict }: { verdict: SampleVerdict }) {
  const { hashes, signedRoot, isRight } = verdict
  const [leaf = '', ...above] = hashes
  const computedRoot = above.at(-1) ?? leaf
  const steps = above.slice(0, -1)
  const computed = isRight ? 'bg-accent-soft' : 'bg-declined-soft'
  return (
    <figure>
      <figcaption className="sr-only">
        {formatCounted(hashes.length, 'hash leads', 'hashes lead')} from the record to the computed
        root, which must equal the signed root.
      </figcaption>
      <ol reversed className="grid justify-items-center gap-1 text-12">
        <Bar
          place={hashes.length}
          width={56}
          look="bg-accent text-on-accent"
          name="Signed root"
          hash={signedRoot}
        />
        <Bar
          place={hashes.length - 1}
          width={56}
          look={isRight ? computed : 'bg-declined text-surface'}
          name={
            isRight ? (
              'Computed root'
            ) : (
              <span className="flex items-center gap-1.5">
                <CircleX aria-hidden="true" className="size-3.5" />
                <span>
                  Computed root<span className="sr-only"> differs</span>
                </span>
              </span>
            )
          }
          hash={computedRoot}
        />
        {steps.toReversed().map((hash, index) => (
          <Bar
            key={hash}
            place={steps.length - index}
            width={60 + (36 * (index + 1)) / (steps.length + 1)}
            look={computed}
          />
        ))}
        <Bar
          place={0}
          width={100}
          look={computed}
          name={isRight ? 'Record' : 'Changed record'}
          hash={leaf}
        />
      </ol>
    </figure>
  )
}

type BarProps = { place: number; width: number; look: string; name?: ReactNode; hash?: string }

function Bar({ place, width, look, name, hash }: BarProps) {
  const isSmall = name === undefined
  return (
    <li
      className={joinClasses(
        'proof-step flex items-center justify-between gap-3 rounded-full px-4',
        isSmall ? 'h-2' : 'h-8 min-w-56',
        look,
      )}
      style={{ width: `${width}%`, '--place': place }}
    >
      {isSmall ? (
        <span className="sr-only">Hash {place}</span>
      ) : (
        <>
          <span className="font-medium">{name}</span>
          {hash !== undefined && <code title={hash}>{hash.slice(0, 8)}…</code>}
        </>
      )}
    </li>
  )
}

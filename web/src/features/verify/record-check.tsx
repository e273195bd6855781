import { useQuery } from '@tanstack/react-query'
import { CircleX, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { TimeZoneNote } from '../../shared/ui/time-zone-note.tsx'
import { verifyQueries } from './queries.ts'

/**
 * Says when the operator last compared the ledger with its log and with which result, links to the
 * page on which the browser of the reader does its own check, and names the time zone of the page. The
 * height is the same in every state.
 */
export function RecordCheck() {
  const { data, isError } = useQuery(verifyQueries.readLastVerification())
  return (
    // Below 1280 px, the text is wider than its place and needs two lines.
    <span className="block min-h-10 text-12 leading-5 xl:min-h-5">
      {data === undefined && !isError ? (
        <Skeleton className="h-4 w-64" />
      ) : (
        <>
          <CheckResult verification={data?.verification} />{' '}
          <span className="whitespace-nowrap">
            <span className={data === undefined ? undefined : 'max-xl:hidden'}>
              <Dot />{' '}
            </span>
            <TextLink to="/verify">Verify a receipt</TextLink>
          </span>{' '}
          <span className="whitespace-nowrap">
            <Dot /> <TimeZoneNote />
          </span>
        </>
      )}
    </span>
  )
}

function Dot() {
  return (
    <span aria-hidden="true" className="text-line-strong">
      ·
    </span>
  )
}

type Verification = { startedAt: string; state: 'agrees' | 'differs' } | null | undefined

/** `verification` is null before the first result, and undefined if it could not be loaded. */
function CheckResult({ verification }: { verification: Verification }): ReactNode {
  if (verification === undefined) return 'Time of the last record check unknown'
  if (verification === null) return 'Record not checked yet'
  const at = <DateText at={verification.startedAt} format="short" />
  return verification.state === 'agrees' ? (
    <>
      <ShieldCheck aria-hidden="true" className="mr-1.5 inline-block size-4 text-success" />
      Record check passed {at}
    </>
  ) : (
    <>
      <CircleX aria-hidden="true" className="mr-1.5 inline-block size-4 text-declined" />
      Record check failed {at}
    </>
  )
}

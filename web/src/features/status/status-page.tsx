import type { PartState, SitePart } from '@cairn/gateway-contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, CircleX, Clock, type LucideIcon } from 'lucide-react'

import { getRootKey } from '../../shared/api/query-keys.ts'
import { readPublic } from '../../shared/api/read-public.ts'
import { Banner } from '../../shared/ui/banner.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { UtcMoment } from '../../shared/ui/utc-moment.tsx'

const POLL_MS = 30_000

const statusQuery = queryOptions({
  queryKey: getRootKey('status'),
  queryFn: ({ signal }) => readPublic('/public/status', signal),
  refetchInterval: POLL_MS,
  staleTime: 0,
  retry: false,
})

const STATES: Record<PartState, { icon: LucideIcon; words: string; tone: string }> = {
  working: { icon: CircleCheck, words: 'Working', tone: 'text-success' },
  delayed: { icon: Clock, words: 'Delayed', tone: 'text-pending' },
  away: { icon: CircleX, words: 'Not available', tone: 'text-declined' },
  unknown: { icon: CircleHelp, words: 'Unknown', tone: 'text-muted' },
}

const PARTS: Record<SitePart, { name: string; words: Record<PartState, string> }> = {
  site: {
    name: 'Site',
    words: {
      working: 'Pages and logins work.',
      delayed: 'Pages and logins are slow.',
      away: 'Pages and logins do not work.',
      unknown: 'The state is unknown.',
    },
  },
  ledger: {
    name: 'Ledger',
    words: {
      working: 'Balances are shown and requests are recorded.',
      delayed: 'Balances are shown. Requests are recorded later than usual.',
      away: 'Balances cannot be shown and no money can move until the ledger is available again. Recorded events are kept.',
      unknown: 'The state is unknown.',
    },
  },
  workers: {
    name: 'Background work',
    words: {
      working: 'Profit is credited and documents are created on time.',
      delayed:
        'Profit and documents are delayed. Due profit is computed from the calendar, so none is lost.',
      away: 'Profit is not credited and documents are not created at present. Due profit is computed from the calendar, so none is lost.',
      unknown: 'The state is unknown.',
    },
  },
  mail: {
    name: 'Email',
    words: {
      working: 'Emails are sent within minutes.',
      delayed: 'An email has waited for more than ten minutes. Codes may be delayed.',
      away: 'Emails are not sent.',
      unknown: 'The state is unknown.',
    },
  },
}

/** Shows the current state of the site, measured by the browser. The page has no history. */
export function StatusPage() {
  const { data, isError, isFetching, refetch } = useQuery(statusQuery)
  return (
    <>
      <Banner text="The current state of the parts of this site." />
      <Section split title="Now" text={`This page checks again every ${POLL_MS / 1_000} seconds.`}>
        {/* The minimum height keeps the content below from moving when the state has loaded. */}
        <div className="grid min-h-176 content-start gap-5 sm:min-h-128">
          {data?.isMaintenance === true && (
            <Notice tone="info">
              The site is under maintenance. Only administrators can log in. Balances and due profit
              are still recorded.
            </Notice>
          )}
          {isError && (
            <Notice
              tone="error"
              action={
                <Button size="small" pending={isFetching} onClick={() => void refetch()}>
                  Check again
                </Button>
              }
            >
              The state of the site could not be read.
              {data !== undefined && ' The last known state is shown below.'}
            </Notice>
          )}
          {data === undefined && !isError && (
            <>
              <noscript>
                <p className="text-16">The current state needs JavaScript.</p>
              </noscript>
              <Skeleton className="h-120 w-full rounded-card" />
            </>
          )}
          {data !== undefined && (
            <>
              {!isError && data.parts.length > 0 && <Summary parts={data.parts} />}
              <ul className="divide-y divide-line border-line border-y">
                {data.parts.map(({ part, state }) => (
                  <Part key={part} part={part} state={state} />
                ))}
              </ul>
              <p role="status" className="text-14 text-muted">
                Last checked <UtcMoment at={data.checkedAt} />
              </p>
            </>
          )}
        </div>
      </Section>
      <Section split title="Limits of this page" sunken>
        <p className="text-16 text-muted">
          This page shows the current measurements. No history is recorded. The page does not cover
          the banks and networks that process your payments.
        </p>
      </Section>
    </>
  )
}

type Parts = ReadonlyArray<{ part: SitePart; state: PartState }>

/** Shows one sentence about the whole site, above the states of its parts. */
function Summary({ parts }: { parts: Parts }) {
  const failing = parts.filter(({ state }) => state !== 'working')
  const names = failing.map(({ part }) => PARTS[part].name).join(', ')
  return failing.length === 0 ? (
    <p className="flex items-center gap-3 rounded-card bg-success-soft p-5 font-semibold text-20 text-success">
      <CircleCheck aria-hidden="true" className="size-6 shrink-0" />
      All systems working
    </p>
  ) : (
    <p className="flex items-center gap-3 rounded-card bg-pending-soft p-5 font-semibold text-20 text-pending">
      <Clock aria-hidden="true" className="size-6 shrink-0" />
      Not all systems are working: {names}
    </p>
  )
}

function Part({ part, state }: { part: SitePart; state: PartState }) {
  const { icon: Icon, words, tone } = STATES[state]
  return (
    <li className="grid gap-1 py-4 sm:grid-cols-[1fr_auto] sm:gap-x-6">
      <h3 className="font-semibold text-16">{PARTS[part].name}</h3>
      <p className={`flex items-center gap-2 font-medium text-14 ${tone}`}>
        <Icon aria-hidden="true" className="size-4" />
        {words}
      </p>
      <p className="text-14 text-muted sm:col-span-2">{PARTS[part].words[state]}</p>
    </li>
  )
}

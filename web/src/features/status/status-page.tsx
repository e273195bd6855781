import type { PartState, SitePart } from '@cairn/gateway-contracts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, CircleX, Clock, type LucideIcon } from 'lucide-react'

import { queryKeys } from '../../shared/api/query-keys.ts'
import { readPublic } from '../../shared/api/read-public.ts'
import { Banner } from '../../shared/ui/banner.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { UtcMoment } from '../../shared/ui/utc-moment.tsx'

const POLL_MS = 30_000

const statusQuery = queryOptions({
  queryKey: queryKeys.status,
  queryFn: ({ signal }) => readPublic('/public/status', signal),
  refetchInterval: POLL_MS,
  staleTime: 0,
  retry: false,
})

const STATES: Record<PartState, { icon: LucideIcon; words: string; tone: string }> = {
  working: { icon: CircleCheck, words: 'Working', tone: 'text-success' },
  delayed: { icon: Clock, words: 'Late', tone: 'text-pending' },
  away: { icon: CircleX, words: 'Not answering', tone: 'text-declined' },
  unknown: { icon: CircleHelp, words: 'Not known', tone: 'text-muted' },
}

const PARTS: Record<SitePart, { name: string; words: Record<PartState, string> }> = {
  site: {
    name: 'The site',
    words: {
      working: 'Pages and logins are answered.',
      delayed: 'Pages and logins are answered slowly.',
      away: 'Pages and logins are not answered.',
      unknown: 'Nothing is known of it.',
    },
  },
  ledger: {
    name: 'The books',
    words: {
      working: 'Balances can be read, and requests are recorded.',
      delayed: 'Balances can be read, and requests are recorded later than usual.',
      away: 'Balances cannot be shown and no money can move until the books answer again. What is recorded stays recorded.',
      unknown: 'Nothing is known of them.',
    },
  },
  workers: {
    name: 'Work in the background',
    words: {
      working: 'Profit is credited and documents are made as they fall due.',
      delayed:
        'Profit and documents are late. What falls due is counted by the calendar, so nothing is lost.',
      away: 'Profit and documents wait. What falls due is counted by the calendar, so nothing is lost.',
      unknown: 'Nothing is known of it.',
    },
  },
  mail: {
    name: 'E-mail',
    words: {
      working: 'Mails leave within minutes.',
      delayed: 'A mail has waited for more than ten minutes. Codes may come late.',
      away: 'No mail leaves.',
      unknown: 'Whether mails leave is not known.',
    },
  },
}

/** Shows what the browser can measure now. There is no history. */
export function StatusPage() {
  const { data, isError, isFetching, refetch } = useQuery(statusQuery)
  return (
    <>
      <Banner text="How the parts of this site stand at this moment." />
      <Section title="Now">
        <div className="grid max-w-3xl gap-5">
          {data?.isMaintenance === true && (
            <Notice tone="info">
              The site is being maintained. Only administrators get in; balances and profit that
              falls due are recorded as always.
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
              The site itself does not answer.
              {data !== undefined && ' The last known state is shown below.'}
            </Notice>
          )}
          {data === undefined && !isError && <Skeleton className="h-80 w-full rounded-card" />}
          {data !== undefined && (
            <>
              <ul className="divide-y divide-line border-line border-y">
                {data.parts.map(({ part, state }) => (
                  <Part key={part} part={part} state={state} />
                ))}
              </ul>
              <p role="status" className="text-14 text-muted">
                Last checked <UtcMoment at={data.checkedAt} />. This page asks again every{' '}
                {POLL_MS / 1_000} seconds.
              </p>
            </>
          )}
        </div>
      </Section>
      <Section title="What this page does not say" sunken>
        <p className="max-w-3xl text-16 text-muted">
          It shows what is measured now, not how it was last week: we keep no record of that, so
          there is none to show. It says nothing about banks or networks that your payments pass.
        </p>
      </Section>
    </>
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

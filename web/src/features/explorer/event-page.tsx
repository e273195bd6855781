import { formatCounted } from '@cairn/gateway-contracts/counted'
import { splitEventNumber } from '@cairn/gateway-contracts/event-numbers'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { sumByAsset } from '../../shared/money/asset-text.ts'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { toLedgerPath } from '../../shared/url/ledger-of-url.ts'
import { useParams } from '../../shared/url/navigation.tsx'
import { listDetails } from '../audit-log/index.ts'
import { AccountCode } from './account-code.tsx'
import { compareRules, RULES_EVENT } from './compare-rules.ts'
import {
  describeAccount,
  describeActor,
  describeEvent,
  findLinkedRange,
  listLinks,
} from './describe-event.ts'
import { HashText } from './hash-text.tsx'
import { ProofCard } from './proof-card.tsx'
import { explorerQueries, type LogEvent } from './queries.ts'
import { RelatedEvents } from './related-events.tsx'
import { LedgerAmount, LedgerMinor } from './sides.tsx'

const LOG = '/manage/admin/ledger'
/** The number of characters of a value that fits beside its name on a phone. */
const SHORT_MAX = 24

export function EventPage() {
  const { seq = '' } = useParams()
  const own = splitEventNumber(/^\d{1,18}$/.test(seq) ? seq : '0')
  const above = { to: toLedgerPath(LOG, own.ledger), label: 'Events' }
  const { data, isError, error, refetch, isFetching } = useQuery(explorerQueries.readEvent(seq))
  const previous = useQuery({
    ...explorerQueries.findPreviousRules(seq),
    enabled: data?.event.type === RULES_EVENT,
  })
  // The page waits for the earlier rules, because the data of the event would otherwise grow.
  if (data === undefined || previous.isLoading) {
    return (
      <>
        <PageHeader title={`Event ${seq}`} above={above} />
        {isError ? (
          <FailedState
            message={getErrorMessage(error, `Event ${seq} could not be loaded.`)}
            error={error}
            onRetry={refetch}
            pending={isFetching}
          />
        ) : (
          <Skeleton className="h-96 w-full rounded-card" />
        )}
      </>
    )
  }
  const { event, bytes, receipt, verifierKeys, size } = data
  const values = compareRules(event.data, previous.data?.data)
  return (
    <>
      <PageHeader
        title={`Event ${event.seq}: ${describeEvent(event.type)}`}
        above={above}
        text={`${own.ledger === null ? 'One' : `Event ${own.seq}`} of ${formatCounted(BigInt(size), 'event')}${own.ledger === null ? '' : ` of ledger ${own.ledger}`}. Events are never changed or removed.`}
        hasTimes
        actions={<Neighbours seq={event.seq} size={size} />}
      />
      <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
        <Facts event={event} values={values} />
        <Postings event={event} />
      </div>
      <ProofCard event={event} bytes={bytes} receipt={receipt} verifierKeys={verifierKeys} />
      <RelatedEvents event={event} />
      <Card>
        <CardHeader title="Raw record" note="The exact bytes that are hashed" />
        <div className="grid gap-4 p-5 text-14">
          <pre className="whitespace-pre-wrap break-all rounded-card bg-sunken p-4 text-12">
            {bytes}
          </pre>
          <p className="text-muted">
            Leaf hash (SHA-256 of a zero byte and these bytes):{' '}
            <HashText hash={event.leafHash} whole />
          </p>
        </div>
      </Card>
    </>
  )
}

function Neighbours({ seq, size }: { seq: string; size: string }) {
  const at = BigInt(seq)
  const own = splitEventNumber(seq)
  return (
    <>
      <ButtonLink to={toLedgerPath(LOG, own.ledger)}>Events</ButtonLink>
      {own.seq !== '0' && (
        <ButtonLink to={`/manage/admin/ledger/${at - 1n}`}>
          <ChevronLeft aria-hidden="true" className="size-4" />
          Previous
        </ButtonLink>
      )}
      {BigInt(own.seq) + 1n < BigInt(size) && (
        <ButtonLink to={`/manage/admin/ledger/${at + 1n}`}>
          Next
          <ChevronRight aria-hidden="true" className="size-4" />
        </ButtonLink>
      )}
    </>
  )
}

function Facts({ event, values }: { event: LogEvent; values: LogEvent['data'] }) {
  const links = listLinks(event.data)
  return (
    <Card>
      <CardHeader title="Event data" />
      <div className="px-5 py-2">
        <FactList>
          <Fact name="By">
            <TextLink to={`/manage/admin/ledger?actor=${encodeURIComponent(event.actor)}`}>
              {describeActor(event.actor, event.person?.name)}
            </TextLink>
          </Fact>
          <Fact name="Recorded">
            <DateText at={event.recordedAt} format="moment" />
          </Fact>
          <Fact name="Effective">
            <DateText at={event.effectiveAt} format="moment" />
          </Fact>
          <OptionalFacts event={event} />
          {listDetails(values).map(({ name, before, after }) => (
            <Fact key={name} name={name} isLong={isLongValue(before, after)}>
              <span className="tabular wrap-anywhere">
                {before !== null && <span className="text-muted">{before} → </span>}
                {after}
              </span>
            </Fact>
          ))}
        </FactList>
        {links.length > 0 && (
          <p className="flex flex-wrap gap-4 border-line border-t py-3 text-14">
            {links.map(({ label, to }) => (
              <TextLink key={to} to={to}>
                {label}
              </TextLink>
            ))}
          </p>
        )}
      </div>
    </Card>
  )
}

function isLongValue(before: string | null, after: string): boolean {
  return `${before ?? ''}${after}`.length > SHORT_MAX
}

/** Shows properties that not every event has: linked events, an external ID and metadata. */
function OptionalFacts({ event: { seq, linked, externalId, metadata } }: { event: LogEvent }) {
  const range = linked === null ? null : findLinkedRange(seq, linked)
  return (
    <>
      {linked !== null && range !== null && (
        <Fact name="Linked">
          {linked.index + 1} of {linked.length}, recorded together:{' '}
          <TextLink to={`/manage/admin/ledger/${range.first}`}>{range.first}</TextLink> to{' '}
          <TextLink to={`/manage/admin/ledger/${range.last}`}>{range.last}</TextLink>
        </Fact>
      )}
      {externalId !== null && (
        <Fact name="External ID" isLong={externalId.length > SHORT_MAX}>
          <TextLink to={`/manage/admin/ledger?externalId=${encodeURIComponent(externalId)}`}>
            <span className="break-all">{externalId}</span>
          </TextLink>
        </Fact>
      )}
      {Object.entries(metadata ?? {}).map(([name, value]) => (
        <Fact key={name} name={`Metadata: ${name}`}>
          <span className="break-all">{value}</span>
        </Fact>
      ))}
    </>
  )
}

function Postings({ event: { seq, postings } }: { event: LogEvent }) {
  const { ledger } = splitEventNumber(seq)
  const sums = sumByAsset(postings.map(({ account, amount }) => ({ code: account, amount })))
  return (
    <Card>
      <CardHeader
        title="Postings"
        note={
          postings.length === 0
            ? undefined
            : 'A minus is a debit, such as cash that arrives. The sum is zero.'
        }
      />
      {postings.length === 0 ? (
        <p className="p-5 text-14 text-muted">No money moved.</p>
      ) : (
        <table className="w-full text-14">
          <caption className="sr-only">Postings</caption>
          <tbody>
            {postings.map(({ account, amount }) => (
              <tr key={`${account} ${amount}`} className="border-line border-b">
                <th scope="row" className="px-5 py-2.5 text-left font-normal">
                  <TextLink
                    to={toLedgerPath(
                      `/manage/admin/accounts/${encodeURIComponent(account)}`,
                      ledger,
                    )}
                  >
                    {describeAccount(account)}
                  </TextLink>
                  <span className="block text-12 text-muted">
                    <AccountCode code={account} />
                  </span>
                </th>
                <td className="px-5 py-2.5 text-right">
                  <LedgerAmount amount={amount} code={account} signed />
                </td>
              </tr>
            ))}
            {[...sums].map(([asset, minor]) => (
              <tr key={asset}>
                <th scope="row" className="px-5 py-2.5 text-left font-medium">
                  Sum
                </th>
                <td className="px-5 py-2.5 text-right font-medium">
                  <LedgerMinor minor={minor} code={asset ?? ''} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

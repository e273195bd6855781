import { DateText } from '../../shared/ui/date-text.tsx'
import { SidePanel } from '../../shared/ui/dialog.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { listDetails } from './describe-details.ts'
import { describeEntry } from './describe-entry.ts'
import type { AuditEntry } from './queries.ts'
import { ResultBadge } from './result-badge.tsx'

/** Shows an audited action with the values that it changed. */
export function EntryPanel({ entry, onClose }: { entry: AuditEntry | null; onClose: () => void }) {
  return (
    <SidePanel
      open={entry !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={entry === null ? '' : `${getActorName(entry)} ${describeEntry(entry)}`}
    >
      {entry !== null && (
        <div className="grid gap-6">
          <EntryFacts entry={entry} onFilter={onClose} />
          <Changes entry={entry} />
        </div>
      )}
    </SidePanel>
  )
}

export function getActorName({ actor }: AuditEntry): string {
  return actor?.name ?? 'A visitor'
}

/** `onFilter` is called when a link filters the list, which the panel would cover. */
function EntryFacts({ entry, onFilter }: { entry: AuditEntry; onFilter: () => void }) {
  const { name } = entry.details
  return (
    <FactList>
      <Fact name="Result">
        <ResultBadge result={entry.result} />
      </Fact>
      <Fact name="Time">
        <DateText at={entry.at} format="moment" />
      </Fact>
      {entry.actor !== undefined && (
        <Fact name="Actor">
          <TextLink to={`?actor=${entry.actor.id}`} onClick={onFilter}>
            All actions by {entry.actor.name}
          </TextLink>
        </Fact>
      )}
      {entry.subject !== null && (
        <Fact name="Object">
          <TextLink to={`?subject=${encodeURIComponent(entry.subject)}`} onClick={onFilter}>
            All entries about {typeof name === 'string' ? name : entry.subject}
          </TextLink>
        </Fact>
      )}
      {entry.event !== null && (
        <Fact name="Ledger">
          <TextLink to={`/manage/admin/ledger/${entry.event}`}>Event {entry.event}</TextLink>
        </Fact>
      )}
      <Fact name="IP address">
        <span className="tabular">{entry.ip}</span>
      </Fact>
      <Fact name="Request">
        <code className="text-12">{entry.requestId}</code>
      </Fact>
    </FactList>
  )
}

function Changes({ entry }: { entry: AuditEntry }) {
  const lines = listDetails(entry.details)
  if (lines.length === 0) return <p className="text-14 text-muted">No recorded values.</p>
  const hasBefore = lines.some(({ before }) => before !== null)
  return (
    <table className="w-full text-left text-14">
      <caption className="pb-2 text-left font-semibold">
        {hasBefore ? 'Before and after' : 'Recorded values'}
      </caption>
      <thead className="text-12 text-muted">
        <tr>
          <th scope="col" className="py-1.5 pr-3 font-medium">
            Field
          </th>
          {hasBefore && (
            <th scope="col" className="py-1.5 pr-3 font-medium">
              Before
            </th>
          )}
          <th scope="col" className="py-1.5 font-medium">
            {hasBefore ? 'After' : 'Value'}
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, before, after }) => (
          <tr key={name} className="border-line border-t align-top">
            <th scope="row" className="py-2 pr-3 font-normal text-muted">
              {name}
            </th>
            {hasBefore && <td className="py-2 pr-3 text-muted">{before ?? '–'}</td>}
            <td className="py-2">{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

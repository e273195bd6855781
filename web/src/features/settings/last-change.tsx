import { useQuery } from '@tanstack/react-query'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { type AuditEntry, auditLogQueries } from '../audit-log/index.ts'

/** Enough entries to find a change among refused and repeated attempts. */
const ENTRIES = 20

/** Names the administrator who last changed or approved the settings, with a link to all changes. */
export function LastChange() {
  const filter = { subject: 'settings', limit: ENTRIES }
  const { data, isPending } = useQuery(auditLogQueries.listEntries(filter))
  const entry = data?.entries.find(isChange)
  return (
    <span className="block min-h-10 sm:min-h-5">
      {isPending && <Skeleton className="h-4 w-72" />}
      {entry !== undefined && (
        <>
          {entry.action === 'change.execute' ? 'The last change was approved' : 'Last changed'} by{' '}
          {entry.actor?.name ?? 'an administrator'} on <DateText at={entry.at} format="moment" />.{' '}
        </>
      )}
      {data !== undefined && (
        <TextLink to="/manage/admin/audit?subject=settings">History of the settings</TextLink>
      )}
    </span>
  )
}

function isChange({ action, result, details }: AuditEntry): boolean {
  if (result !== 'success' || !['settings.save', 'change.execute'].includes(action)) return false
  return Object.keys(details.changes ?? {}).length > 0
}

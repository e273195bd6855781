import { AdminRole } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { Check, Minus } from 'lucide-react'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { UserBadge } from '../../shared/ui/user-badge.tsx'
import { useNavigate } from '../../shared/url/navigation.tsx'
import { type Administrator, type PermissionRow, roleQueries } from './queries.ts'
import { ROLE_HINTS, ROLE_LABELS } from './role-labels.ts'
import { RoleList } from './role-list.tsx'

const COLUMNS: ReadonlyArray<Column<Administrator>> = [
  {
    id: 'name',
    header: 'Administrator',
    renderCell: (row) => (
      <span className="grid min-w-0">
        <span className="font-medium">{row.name}</span>
        <span className="break-all text-12 text-muted">{row.email}</span>
      </span>
    ),
  },
  { id: 'roles', header: 'Roles', renderCell: (row) => <RoleList roles={row.roles} /> },
  { id: 'status', header: 'Status', renderCell: (row) => <UserBadge status={row.status} /> },
]

/** Lists the administrators with their roles, and the permissions of each role. */
export function RolesPage() {
  const query = useQuery(roleQueries.listRoles())
  const navigate = useNavigate()
  return (
    <>
      <PageHeader text="Each administrator has one or more roles. A role is a set of permissions." />
      <p className="max-w-2xl text-14 text-muted">
        Two administrators are required as soon as two active administrators have a role that may
        decide on transactions: invite one on the page Manage Users, or change the roles of one
        here. On the server, <code>npm run admin -- dual-control</code> sets the mode.
      </p>
      <Card>
        <CardHeader title="Administrators" />
        <DataTable
          caption="Administrators"
          columns={COLUMNS}
          query={{ ...query, data: query.data?.administrators }}
          keyOf={(row) => row.id}
          narrow={(row) => (
            <span className="grid gap-2">
              <span className="flex flex-wrap items-center justify-between gap-2">
                <span className="font-medium">{row.name}</span>
                <UserBadge status={row.status} />
              </span>
              <RoleList roles={row.roles} />
            </span>
          )}
          failed="The administrators could not be loaded."
          onOpen={(row) => void navigate(`/manage/admin/users/${row.id}`)}
          openLabel={(row) => `Details of ${row.name}`}
          empty={<EmptyState title="No administrators" />}
        />
      </Card>
      {query.isError && query.data === undefined && (
        <FailedState
          message={getErrorMessage(query.error, 'The permissions could not be loaded.')}
          error={query.error}
          onRetry={query.refetch}
          pending={query.isFetching}
        />
      )}
      {query.isPending && <Skeleton className="h-96 w-full rounded-card" />}
      {query.data !== undefined && <Matrix permissions={query.data.permissions} />}
    </>
  )
}

/** Shows the permissions of each role. On a narrow screen the names of the roles are vertical. */
function Matrix({ permissions }: { permissions: readonly PermissionRow[] }) {
  const groups = [...Map.groupBy(permissions, ({ group }) => group)]
  return (
    <Card>
      <CardHeader title="Permissions of each role" />
      <dl className="grid gap-x-6 gap-y-1 border-line border-b px-5 py-4 text-14 sm:grid-cols-2">
        {AdminRole.options.map((role) => (
          <div key={role}>
            <dt className="inline font-medium">{ROLE_LABELS[role]}: </dt>
            <dd className="inline text-muted">{ROLE_HINTS[role]}</dd>
          </div>
        ))}
      </dl>
      <table className="w-full text-14">
        <caption className="sr-only">Permissions of each role</caption>
        <thead className="sticky top-16 z-10 bg-surface align-bottom">
          <tr className="border-line border-b">
            <th scope="col" className="px-5 py-2.5 text-left font-medium text-12 text-muted">
              Permission
            </th>
            {AdminRole.options.map((role) => (
              <th key={role} scope="col" className="px-0 py-2.5 font-medium text-12 lg:px-3">
                <span className="mx-auto block max-sm:rotate-180 max-sm:[writing-mode:vertical-rl]">
                  {ROLE_LABELS[role]}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(([group, rows]) => (
          <tbody key={group}>
            <tr>
              <th
                scope="rowgroup"
                colSpan={AdminRole.options.length + 1}
                className="bg-sunken px-5 py-2 text-left font-semibold text-12"
              >
                {group}
              </th>
            </tr>
            {rows.map((row) => (
              <MatrixRow key={row.name} row={row} />
            ))}
          </tbody>
        ))}
      </table>
    </Card>
  )
}

function MatrixRow({ row }: { row: PermissionRow }) {
  return (
    <tr className="border-line border-b last:border-b-0">
      <th scope="row" className="min-w-0 px-5 py-2.5 text-left font-normal">
        {row.label}
        <code className="block break-all text-12 text-muted">{row.name}</code>
      </th>
      {AdminRole.options.map((role) => (
        <td key={role} className="w-8 px-0 py-2.5 text-center sm:w-20 lg:w-28">
          {row.roles.includes(role) ? (
            <Check aria-label="Yes" role="img" className="mx-auto size-5 text-success" />
          ) : (
            <Minus aria-label="No" role="img" className="mx-auto size-4 text-muted" />
          )}
        </td>
      ))}
    </tr>
  )
}

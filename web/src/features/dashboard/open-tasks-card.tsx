import type { OpenTask, Permission } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { ChevronRight, Clock } from 'lucide-react'
import { formatDate } from '../../shared/dates/format-date.ts'
import { toMinor } from '../../shared/money/money.ts'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { InlineMoney } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { Link } from '../../shared/url/navigation.tsx'

type Task = { one: string; many: string; to: string; permission: Permission }

const TASKS: Record<OpenTask['kind'], Task> = {
  deposits: {
    one: 'deposit',
    many: 'deposits',
    to: '/manage/admin/transactions?status=pending&type=deposit',
    permission: 'transactions.read',
  },
  withdrawals: {
    one: 'withdrawal',
    many: 'withdrawals',
    to: '/manage/admin/transactions?status=pending&type=withdrawal',
    permission: 'transactions.read',
  },
  users: {
    one: 'new user',
    many: 'new users',
    to: '/manage/admin/users?status=pending',
    permission: 'users.read',
  },
  names: {
    one: 'changed name',
    many: 'changed names',
    to: '/manage/admin/users',
    permission: 'users.read',
  },
  changes: {
    one: 'change request',
    many: 'change requests',
    to: '/manage/admin/approvals',
    permission: 'approvals.read',
  },
  maturities: {
    one: 'overdue payout',
    many: 'overdue payouts',
    to: '/manage/admin/jobs',
    permission: 'jobs.read',
  },
}

type TasksProps = { tasks: readonly OpenTask[] | undefined; hasFailed: boolean }

/**
 * Shows the requests that are waiting for an administrator. The kind with the oldest request comes
 * first. The height is the same in every state, so that nothing below moves when the tasks have
 * loaded.
 */
export function OpenTasksCard({ tasks, hasFailed }: TasksProps) {
  const hasPermission = useHasPermission()
  const shown = tasks?.filter(({ kind }) => hasPermission(TASKS[kind].permission))
  return (
    <Card aria-labelledby="needs-you">
      <h2 id="needs-you" className="px-5 pt-4 font-semibold text-16">
        Needs your attention
      </h2>
      <div className="min-h-18 p-2">
        {shown === undefined ? (
          hasFailed ? (
            <p className="px-3 py-2 text-14 text-muted">Unknown</p>
          ) : (
            <Skeleton className="h-14 w-full" />
          )
        ) : shown.length === 0 ? (
          <p className="px-3 py-2 text-14 text-muted">No open requests.</p>
        ) : (
          <ul className="flex gap-2 overflow-x-auto">
            {shown.map((task) => (
              <TaskItem key={task.kind} task={task} />
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

function TaskItem({ task }: { task: OpenTask }) {
  const { kind, count, amount, oldestAt } = task
  const { one, many, to } = TASKS[kind]
  return (
    <li className="min-w-56 flex-1">
      <Link
        to={to}
        className="flex min-h-14 items-center gap-3 rounded-card px-3 py-2 hover:bg-sunken"
      >
        <span
          aria-hidden="true"
          className="flex size-9 shrink-0 items-center justify-center rounded-full bg-pending-soft text-pending"
        >
          <Clock className="size-4" />
        </span>
        <span className="grid min-w-0">
          <span className="whitespace-nowrap font-medium text-14">
            {formatCounted(count, one, many)}
            {amount !== null && (
              <>
                , <InlineMoney minor={toMinor(amount)} />
              </>
            )}
          </span>
          <span className="whitespace-nowrap text-12 text-muted">
            {oldestAt === null ? 'Open' : `Oldest has waited for ${formatDate(oldestAt, 'age')}`}
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="ml-auto size-4 shrink-0 text-muted" />
      </Link>
    </li>
  )
}

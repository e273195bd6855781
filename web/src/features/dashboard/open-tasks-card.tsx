import type { OpenTask, Permission } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { formatDate } from '../../shared/dates/format-date.ts'
import { toMinor } from '../../shared/money/money.ts'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
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
    <Card aria-labelledby="needs-you" className="flex h-26 flex-col">
      <h2 id="needs-you" className="px-5 pt-3 font-semibold text-14">
        Needs your attention
      </h2>
      {shown === undefined ? (
        <div className="px-5 py-2">
          {hasFailed ? (
            <p className="text-14 text-muted">Unknown</p>
          ) : (
            <Skeleton className="h-12 w-full" />
          )}
        </div>
      ) : shown.length === 0 ? (
        <p className="px-5 py-2 text-14 text-muted">No open requests.</p>
      ) : (
        <ul className="flex flex-1 overflow-x-auto px-2 pb-2">
          {shown.map((task, index) => (
            <TaskItem key={task.kind} task={task} isFirst={index === 0} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function TaskItem({ task, isFirst }: { task: OpenTask; isFirst: boolean }) {
  const { kind, count, amount, oldestAt } = task
  const { one, many, to } = TASKS[kind]
  return (
    <li className={joinClasses('shrink-0', !isFirst && 'border-line border-l')}>
      <Link to={to} className="mx-1 grid h-full content-center rounded-card px-3 hover:bg-sunken">
        <span className="font-medium text-14">
          {formatCounted(count, one, many)}
          {amount !== null && (
            <>
              , <InlineMoney minor={toMinor(amount)} />
            </>
          )}
        </span>
        <span className="text-12 text-muted">
          {oldestAt === null ? 'Open' : `Oldest has waited for ${formatDate(oldestAt, 'age')}`}
        </span>
      </Link>
    </li>
  )
}

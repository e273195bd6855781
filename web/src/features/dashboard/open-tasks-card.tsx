import type { OpenTask, Permission } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useQuery } from '@tanstack/react-query'
import { Landmark, type LucideIcon, TriangleAlert } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatDate } from '../../shared/dates/format-date.ts'
import { toMinor } from '../../shared/money/money.ts'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { InlineMoney } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { groupPaymentAccounts, type Reserve, reserveQueries } from '../reserve/index.ts'
import { TaskLink } from './task-link.tsx'

type Task = { one: string; many: string; to: string; permission: Permission }

const CASH = '/manage/admin/reserve#cash'

const TASKS: Record<OpenTask['kind'], Task> = {
  deposits: {
    one: 'deposit',
    many: 'deposits',
    to: '/manage/admin/transactions?status=pending&type=deposit&sort=createdAt',
    permission: 'transactions.read',
  },
  withdrawals: {
    one: 'withdrawal',
    many: 'withdrawals',
    to: '/manage/admin/transactions?status=pending&type=withdrawal&sort=createdAt',
    permission: 'transactions.read',
  },
  users: {
    one: 'new user',
    many: 'new users',
    to: '/manage/admin/users?status=pending&sort=createdAt',
    permission: 'users.read',
  },
  names: {
    one: 'changed name',
    many: 'changed names',
    to: '/manage/admin/users?name=pending&sort=createdAt',
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

type TasksProps = {
  tasks: readonly OpenTask[] | undefined
  hasFailed: boolean
  /** The transaction that has waited longest. Undefined if none is pending or known. */
  oldestId: string | undefined
}

/** The number of kinds that the card shows at first on a screen of less than 1280 px, and above. */
const SHOWN = { narrow: 2, wide: 4 } as const

/**
 * Shows a shortfall of the cash or of the payment accounts, and the requests that are waiting for an
 * administrator. Of the requests, the kind with the oldest comes first. The height is the same in
 * every state, so that nothing below moves when the tasks have loaded. A button shows the kinds for
 * which this height is too small, and moves the focus to the first of them.
 */
export function OpenTasksCard({ tasks, hasFailed, oldestId }: TasksProps) {
  const hasPermission = useHasPermission()
  const url = useUrlState()
  const [isOpen, setIsOpen] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const showAll = () => {
    const added = [...(list.current?.children ?? [])].find((row) => !row.checkVisibility())
    flushSync(() => setIsOpen(true))
    // The button that had the focus no longer exists.
    added?.querySelector('a')?.focus()
  }
  const canReadReserve = hasPermission('reserve.read')
  const reserve = useQuery({ ...reserveQueries.readReserve(), enabled: canReadReserve })
  const isLoading = tasks === undefined || reserve.isLoading
  const shown = isLoading
    ? undefined
    : [
        ...listShortfall(reserve.data),
        ...listTransfer(reserve.data),
        ...tasks.filter(({ kind }) => hasPermission(TASKS[kind].permission)).map(describeTask),
      ]
  const count = shown?.length ?? 0
  return (
    <Card aria-labelledby="needs-you" className="flex flex-wrap items-center justify-between p-2">
      <h2 id="needs-you" className="px-3 py-2 font-semibold text-16">
        Needs your attention
      </h2>
      <div className="flex min-h-8 items-center justify-end gap-2 px-3 max-sm:order-last max-sm:min-h-12 max-sm:w-full max-sm:items-end">
        {!isOpen && count > SHOWN.narrow && (
          <Button
            size="small"
            look="quiet"
            className={count > SHOWN.wide ? undefined : 'xl:hidden'}
            onClick={showAll}
          >
            Show all {count}
          </Button>
        )}
        {shown !== undefined && oldestId !== undefined && hasPermission('transactions.read') && (
          <Button
            size="small"
            look="primary"
            onClick={() => url.set({ transaction: oldestId, action: null })}
          >
            Review the oldest request
          </Button>
        )}
      </div>
      <div className="min-h-30 w-full sm:min-h-14">
        {shown === undefined ? (
          hasFailed ? (
            <p className="px-3 py-2 text-14 text-muted">Unknown</p>
          ) : (
            <Skeleton className="h-14 w-full" />
          )
        ) : count === 0 ? (
          <p className="px-3 py-2 text-14 text-muted">Nothing needs your attention.</p>
        ) : (
          <ul
            ref={list}
            className={joinClasses(
              'grid gap-2 sm:grid-cols-2',
              isOpen
                ? 'xl:grid-cols-4'
                : 'xl:auto-cols-fr xl:grid-flow-col xl:grid-cols-none max-xl:[&>:nth-child(n+3)]:hidden xl:[&>:nth-child(n+5)]:hidden',
            )}
          >
            {shown.map(({ key, ...row }) => (
              <li key={key} className="min-w-0">
                <TaskLink {...row} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

type TaskRow = { key: string; to: string; title: ReactNode; note: ReactNode; icon?: LucideIcon }

/** Warns if the ledger has less cash than is owed to investors. */
function listShortfall(reserve: Reserve | undefined): readonly TaskRow[] {
  const rest = reserve === undefined ? 0n : groupPaymentAccounts(reserve).cashRestMinor
  if (rest >= 0n) return []
  return [
    {
      key: 'shortfall',
      to: CASH,
      title: (
        <>
          Cash lacks <InlineMoney minor={-rest} />
        </>
      ),
      note: 'The ledger has less than is owed to investors',
      icon: TriangleAlert,
    },
  ]
}

/** Says how much of what is owed only the treasury can pay, if all cash together covers it. */
function listTransfer(reserve: Reserve | undefined): readonly TaskRow[] {
  const needed = reserve === undefined ? 0n : groupPaymentAccounts(reserve).fromTreasuryMinor
  if (needed === 0n) return []
  return [
    {
      key: 'transfer',
      to: CASH,
      title: (
        <>
          Payment accounts lack <InlineMoney minor={needed} />
        </>
      ),
      note: 'Needs a transfer from the treasury',
      icon: Landmark,
    },
  ]
}

function describeTask({ kind, count, amount, oldestAt }: OpenTask): TaskRow {
  const { one, many, to } = TASKS[kind]
  return {
    key: kind,
    to,
    title: (
      <>
        {formatCounted(count, one, many)}
        {amount !== null && (
          <>
            , <InlineMoney minor={toMinor(amount)} />
          </>
        )}
      </>
    ),
    note: oldestAt === null ? 'Open' : `Oldest has waited for ${formatDate(oldestAt, 'age')}`,
  }
}

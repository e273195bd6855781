import type { UserStats } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { ChevronRight, Clock, ListTodo, type LucideIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { toMinor } from '../../shared/money/money.ts'
import { sumWallets } from '../../shared/money/sum-wallets.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card } from '../../shared/ui/card.tsx'
import { InlineMoney } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { Link } from '../../shared/url/navigation.tsx'
import type { SignedIn } from '../sessions/index.ts'
import { TaskLink } from './task-link.tsx'

export type AttentionProps = { me: SignedIn | undefined; stats: UserStats | undefined }

type Item = { key: string; icon: LucideIcon; title: ReactNode; note: string | null; to: string }

/**
 * Shows what needs the attention of the investor, on a page with one column. The height is the same
 * in every state, so that nothing below moves when the items have loaded. A button shows the items
 * for which this height is too small.
 */
export function AttentionCard({ me, stats, hasFailed }: AttentionProps & { hasFailed: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  const items = listItems({ me, stats })
  const shown = isOpen ? items : (items?.slice(0, 1) ?? null)
  return (
    <Card aria-labelledby="attention" className="p-2">
      <div className="flex min-h-8 items-center justify-between gap-3 px-3">
        <h2 id="attention" className="font-semibold text-16">
          Needs your attention
        </h2>
        {items !== null && items.length > 1 && (
          <Button size="small" look="quiet" onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? 'Show the first' : `Show all ${items.length}`}
          </Button>
        )}
      </div>
      {/* On the narrowest phones, a title with one amount needs two lines above its note. */}
      <div className="min-h-14 max-[24rem]:min-h-18">
        {shown === null ? (
          hasFailed ? (
            <p className="px-3 py-2 text-14 text-muted">Not loaded</p>
          ) : (
            <ItemPlaceholder />
          )
        ) : shown.length === 0 ? (
          <p className="px-3 py-2 text-14 text-muted">Nothing needs your attention.</p>
        ) : (
          <ul>
            {shown.map(({ key, ...item }) => (
              <li key={key}>
                <TaskLink {...item} isTitleWrapping />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  )
}

function ItemPlaceholder() {
  return (
    <div className="flex h-14 items-center gap-3 px-3 max-[24rem]:h-18">
      <Skeleton className="size-9 rounded-full!" />
      <div className="grid gap-1.5">
        <Skeleton className="h-4 w-48" />
        <Skeleton className="h-3 w-32" />
      </div>
    </div>
  )
}

/**
 * Shows the same items in short rows at the end of another card. Shows nothing without items, unless
 * they could not be loaded.
 */
export function AttentionRows({ hasFailed, ...props }: AttentionProps & { hasFailed: boolean }) {
  const items = listItems(props)
  if (items === null ? !hasFailed : items.length === 0) return null
  return (
    <section aria-labelledby="attention" className="mt-auto border-line border-t px-2 py-1.5">
      <h3 id="attention" className="px-3 pt-1 font-medium text-12 text-muted">
        Needs your attention
      </h3>
      {items === null ? (
        <p className="px-3 py-1 text-14 text-muted">Not loaded</p>
      ) : (
        <ul>
          {items.map(({ key, icon: Icon, title, to }) => (
            <li key={key}>
              <Link
                to={to}
                className="flex min-h-9 items-center gap-2.5 rounded-card px-3 py-1 font-medium text-14 hover:bg-sunken"
              >
                <Icon aria-hidden="true" className="size-4 shrink-0 text-pending" />
                <span className="min-w-0 flex-1">{title}</span>
                <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/**
 * Lists the pending requests and the open steps of the account. If the investor has running
 * investments, lists two items at most, so that the card beside the chart does not grow when they
 * have loaded. Returns null while the account is loading.
 */
function listItems({ me, stats }: AttentionProps): readonly Item[] | null {
  if (me === undefined || stats === undefined) return null
  const steps = listSteps(me, stats).filter(({ isDone }) => !isDone)
  const pending = [...listPendingDeposits(stats), ...listPendingWithdrawals(stats)]
  const isShort = stats.invested > 0
  return [
    ...(isShort && pending.length > 1 && steps.length > 0 ? [joinPending(stats)] : pending),
    ...(isShort ? steps.slice(0, 1) : steps).map(({ words, to }) => ({
      key: to,
      icon: ListTodo,
      title: words,
      note: 'Next step of your account',
      to,
    })),
  ]
}

/** Joins the pending requests in one row, so that an open step such as a second factor keeps its row. */
function joinPending(stats: UserStats): Item {
  return {
    key: 'pending',
    icon: Clock,
    title: (
      <>
        Pending:{' '}
        <span className="whitespace-nowrap">
          <InlineMoney minor={toMinor(stats.pending_deposits.amount)} /> in,
        </span>{' '}
        <span className="whitespace-nowrap">
          <InlineMoney minor={sumWallets(stats.held)} /> out
        </span>
      </>
    ),
    // The title needs the line of the note on a phone, where the two amounts take two lines.
    note: null,
    to: '/manage/investor/transactions?status=pending',
  }
}

function listPendingDeposits({ pending_deposits: { count, amount } }: UserStats): readonly Item[] {
  if (count === 0) return []
  return [
    {
      key: 'deposits',
      icon: Clock,
      title: (
        <>
          {formatCounted(count, 'pending deposit')}, <InlineMoney minor={toMinor(amount)} />
        </>
      ),
      note: 'In review. Not in your Wallet Balance yet.',
      to: '/manage/investor/transactions?type=deposit&status=pending',
    },
  ]
}

function listPendingWithdrawals({ held }: UserStats): readonly Item[] {
  const minor = sumWallets(held)
  if (minor === 0n) return []
  return [
    {
      key: 'withdrawals',
      icon: Clock,
      title: (
        <>
          Pending withdrawals, <InlineMoney minor={minor} />
        </>
      ),
      note: 'In review. The amount is held.',
      to: '/manage/investor/transactions?type=withdrawal&status=pending',
    },
  ]
}

function listSteps(me: SignedIn, stats: UserStats) {
  return [
    {
      words: 'Make a deposit',
      isDone: stats.total_deposit > 0 || stats.pending_deposits.count > 0,
      to: '/manage/investor/deposit',
    },
    {
      words: 'Open your first investment',
      isDone: stats.total_investment > 0,
      to: '/manage/investor/investments?view=new',
    },
    {
      words: 'Add a bank account',
      isDone: me.bankAccounts.length > 0,
      to: '/manage/investor/transactions?banks=open',
    },
    {
      words: 'Set up two-factor authentication',
      isDone: me.isMfaEnabled,
      to: '/manage/investor/settings?tab=security',
    },
  ]
}

import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { useNavigate } from 'react-router-dom'

import { transactionQueries } from '../features/transactions/queries.ts'
import { STATUS_WORDS, transactionTitle } from '../features/transactions/transaction-words.ts'
import { toMinor } from '../money/money.ts'
import type { Role } from '../session/stored-user.ts'
import { IconButton } from '../ui/button.tsx'
import { DateText } from '../ui/date-text.tsx'
import { Menu, MenuItem, MenuLabel } from '../ui/menu.tsx'
import { MoneyText } from '../ui/money-text.tsx'

/** What happened last, from the transactions themselves. */
export function NotificationBell({ role }: { role: Role }) {
  return (
    <Menu
      trigger={
        <IconButton label="Notifications">
          <Bell aria-hidden="true" className="size-5" />
        </IconButton>
      }
    >
      <MenuLabel>Notifications</MenuLabel>
      <Latest role={role} />
    </Menu>
  )
}

/** Mounted, and so asked for, only while the menu is open. */
function Latest({ role }: { role: Role }) {
  const navigate = useNavigate()
  const { data: transactions, isError } = useQuery(transactionQueries.recent())
  const area = role === 'admin' ? 'admin' : 'investor'
  if (isError) return <p className="px-2.5 py-2 text-14 text-declined">Could not be loaded.</p>
  if (transactions === undefined) return <p className="px-2.5 py-2 text-14 text-muted">Loading…</p>
  if (transactions.length === 0) {
    return <p className="px-2.5 py-2 text-14 text-muted">Nothing has happened yet.</p>
  }
  return transactions.map((transaction) => (
    <MenuItem
      key={transaction.id}
      onSelect={() => void navigate(`/manage/${area}/transactions?transaction=${transaction.id}`)}
    >
      <span className="grid w-72 gap-0.5 py-1.5">
        <span className="flex justify-between gap-4">
          <span>
            {transactionTitle(transaction)}: {STATUS_WORDS[transaction.status]}
          </span>
          <MoneyText minor={toMinor(transaction.amount)} />
        </span>
        <span className="text-12 text-muted">
          <DateText at={transaction.decidedAt ?? transaction.createdAt} format="relative" />
        </span>
      </span>
    </MenuItem>
  ))
}

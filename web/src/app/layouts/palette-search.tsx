import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { investmentQueries } from '../../features/investments/queries.ts'
import { adminPlanQueries } from '../../features/plans/admin-queries.ts'
import { planQueries } from '../../features/plans/queries.ts'
import { type Transaction, transactionQueries } from '../../features/transactions/queries.ts'
import { getTransactionTitle } from '../../features/transactions/transaction-labels.ts'
import { userQueries } from '../../features/users/queries.ts'
import { toMinor } from '../../shared/money/money.ts'
import { DateText } from '../../shared/ui/date-text.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import type { Viewer } from './manage-menu.ts'

const FOUND_MAX = 5
const CHARACTERS_MIN = 2
const CHARACTERS_MAX = 100
const TYPING_PAUSE_MS = 250

/** An object that matches the typed text, and the path of its page. */
export type Found = { to: string; label: string; note: ReactNode }
export type FoundGroup = { heading: string; items: readonly Found[] }

/** Searches people, transactions, investments and plans that the viewer may see. */
export function usePaletteSearch(viewer: Viewer, typed: string): readonly FoundGroup[] {
  const text = useTextAfterPause(typed.trim().slice(0, CHARACTERS_MAX))
  const isLong = text.length >= CHARACTERS_MIN
  const isAdmin = viewer.role === 'admin'
  const hasSearchPermission = (permission: Viewer['permissions'][number]) =>
    isLong && viewer.permissions.includes(permission)
  const page = { q: text, limit: FOUND_MAX }
  const isOwn = isLong && !isAdmin
  const users = useQuery({
    ...userQueries.listUsers(page),
    enabled: hasSearchPermission('users.read'),
  })
  const allTransactions = useQuery({
    ...transactionQueries.listAllTransactions(page),
    enabled: hasSearchPermission('transactions.read'),
  })
  const ownTransactions = useQuery({
    ...transactionQueries.listOwnTransactions(page),
    enabled: isOwn,
  })
  const allInvestments = useQuery({
    ...investmentQueries.listAllInvestments(page),
    enabled: hasSearchPermission('investments.read'),
  })
  const ownInvestments = useQuery({ ...investmentQueries.listOwnInvestments(page), enabled: isOwn })
  const allPlans = useQuery({
    ...adminPlanQueries.listPlans(),
    enabled: hasSearchPermission('plans.read'),
  })
  const offered = useQuery({ ...planQueries.listPlans(), enabled: isOwn })
  if (!isLong) return []
  const area = isAdmin ? 'admin' : 'investor'
  const transactions = isAdmin ? allTransactions : ownTransactions
  const investments = isAdmin ? allInvestments : ownInvestments
  const plans = (isAdmin ? allPlans.data : offered.data) ?? []
  return [
    {
      heading: 'People',
      items: (users.data?.users ?? []).map(({ id, name, email }) => ({
        to: `/manage/admin/users/${id}`,
        label: name,
        note: email,
      })),
    },
    {
      heading: 'Transactions',
      items: (transactions.data?.transactions ?? []).map((row) => toSearchResult(row, area)),
    },
    {
      heading: 'Investments',
      items: (investments.data?.investments ?? []).map(({ id, plan, reference, user }) => ({
        to: `/manage/${area}/investments?investment=${id}`,
        label: plan.name ?? 'No Plan',
        note: user?.name ?? reference,
      })),
    },
    {
      heading: 'Plans',
      items: plans
        .filter(({ name }) => name?.toLowerCase().includes(text.toLowerCase()))
        .slice(0, FOUND_MAX)
        .map(({ name }) => ({
          to: isAdmin ? '/manage/admin/plans' : '/manage/investor/investments?view=new',
          label: name ?? 'No Plan',
          note: 'Plan',
        })),
    },
  ].filter(({ items }) => items.length > 0)
}

function toSearchResult(row: Transaction, area: 'admin' | 'investor'): Found {
  const label = `${getTransactionTitle(row)} ${row.reference}`
  return {
    to: `/manage/${area}/transactions?transaction=${row.id}`,
    label: row.user === undefined ? label : `${label}, ${row.user.name}`,
    note: (
      <>
        <MoneyText minor={toMinor(row.amount)} />, <DateText at={row.createdAt} format="day" />
      </>
    ),
  }
}

/** Returns the typed text after the user has stopped typing for a moment. */
function useTextAfterPause(text: string): string {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  // After the user has cleared the text, the results for the previous text must disappear.
  return text === '' ? '' : settled
}

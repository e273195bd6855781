import type { ReactNode } from 'react'
import { DateText } from '../../shared/ui/date-text.tsx'
import type { Transaction } from './queries.ts'
import { AmountCell, BalanceCell, MyTypeCell, StatusBadge, TypeCell } from './transaction-cells.tsx'
import { describePurpose, type PlanNames } from './transaction-labels.ts'

/** Renders a transaction of a list on narrow screens. */
export function NarrowTransaction({
  transaction,
  planNames,
  action,
}: {
  transaction: Transaction
  planNames: PlanNames
  /** A link beside the date. Only for a row that is not itself a button. */
  action?: ReactNode
}) {
  return (
    <span className="grid grid-cols-1 gap-2">
      <span className="flex items-center justify-between gap-3">
        {action === undefined ? (
          <MyTypeCell transaction={transaction} planNames={planNames} />
        ) : (
          <TypeCell transaction={transaction} title={describePurpose(transaction, planNames)} />
        )}
        <AmountCell transaction={transaction} />
      </span>
      <span className="flex items-center justify-between gap-3 text-12 text-muted">
        <span className="flex items-center gap-x-4">
          <DateText at={transaction.createdAt} format="moment" />
          {action}
        </span>
        <StatusBadge transaction={transaction} viewer="investor" />
      </span>
      {transaction.status === 'success' && transaction.balanceAfter !== undefined && (
        <span className="flex justify-between gap-3 text-12 text-muted">
          Balance after
          <BalanceCell transaction={transaction} />
        </span>
      )}
    </span>
  )
}

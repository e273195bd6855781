import { exportMyBanks } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { Landmark, Plus, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { BankAccountForm } from './bank-account-form.tsx'
import { BankBadge } from './bank-badge.tsx'
import { BankConfirmation } from './bank-confirmation.tsx'
import { maskNumber } from './mask-number.ts'
import { type BankAccount, bankQueries, useMakeDefaultBank, useRemoveBank } from './queries.ts'

type DialogProps = { open: boolean; onOpenChange: (open: boolean) => void }

export function BankAccountsDialog({ open, onOpenChange }: DialogProps) {
  const [isAdding, setAdding] = useState(false)
  const close = (isOpen: boolean) => {
    setAdding(false)
    onOpenChange(isOpen)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={isAdding ? 'Add a bank account' : 'Bank Accounts'}
      description="Withdrawals are paid to one of these accounts."
    >
      {isAdding ? (
        <BankAccountForm onDone={() => setAdding(false)} />
      ) : (
        <AccountList onAdd={() => setAdding(true)} />
      )}
    </Dialog>
  )
}

function AccountList({ onAdd }: { onAdd: () => void }) {
  const {
    data: accounts,
    isError,
    error,
    refetch,
    isFetching,
  } = useQuery(bankQueries.listOwnAccounts())
  if (isError && accounts === undefined) {
    return (
      <FailedState
        message={getErrorMessage(error, 'Your bank accounts could not be loaded.')}
        onRetry={refetch}
        pending={isFetching}
      />
    )
  }
  if (accounts === undefined) return <Skeleton className="h-45 w-full rounded-card" />
  const add = (
    <Button look="primary" onClick={onAdd}>
      <Plus aria-hidden="true" className="size-4" />
      Add a bank account
    </Button>
  )
  if (accounts.length === 0) {
    return (
      <EmptyState
        title="No bank accounts yet"
        text="Add the account that your withdrawals are paid to."
        action={add}
      />
    )
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <ul className="divide-y divide-line rounded-card border border-line">
        {accounts.map((account) => (
          <AccountRow key={account.id} account={account} />
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2">
        <CsvLink endpoint={exportMyBanks} what="bank accounts" />
        {add}
      </div>
    </div>
  )
}

function AccountRow({ account }: { account: BankAccount }) {
  const [isAsking, setAsking] = useState(false)
  const remove = useRemoveBank()
  const makeDefault = useMakeDefaultBank()
  const name = `${account.bankName} ${maskNumber(account.accountNumber)}`
  return (
    <li className="grid grid-cols-1 gap-3 p-4 text-14">
      <div className="flex items-center gap-3">
        <Landmark aria-hidden="true" className="size-5 shrink-0 text-muted" />
        <div className="grid min-w-0 flex-1">
          <span className="font-medium">{account.label ?? account.bankName}</span>
          {account.label !== null && <span>{account.bankName}</span>}
          <span className="tabular">{maskNumber(account.accountNumber)}</span>
          <span className="text-muted">
            {account.accountName}, {account.accountType.toLowerCase()}
          </span>
          <span className="mt-1.5 flex flex-wrap gap-1.5 font-medium">
            <BankBadge status={account.status} />
            {account.isDefault && <Badge tone="info" icon={Star} word="Default" />}
          </span>
        </div>
        <IconButton label={`Remove ${name}`} onClick={() => setAsking(true)}>
          <Trash2 aria-hidden="true" className="size-4" />
        </IconButton>
      </div>
      {account.status === 'unconfirmed' && <BankConfirmation account={account} />}
      {account.status === 'cooling' && account.usableFrom !== null && (
        <p className="text-12 text-muted">
          Withdrawals to this account are possible from{' '}
          <DateText at={account.usableFrom} format="moment" /> (
          <DateText at={account.usableFrom} format="relative" />
          ). This delay protects you if another person adds an account.
        </p>
      )}
      {!account.isDefault && (
        <Button
          size="small"
          className="w-fit"
          aria-label={`Make ${name} the default`}
          pending={makeDefault.isPending}
          onClick={() => makeDefault.mutate(account.id)}
        >
          Make default
        </Button>
      )}
      {makeDefault.isError && (
        <Notice tone="error">
          {getErrorMessage(makeDefault.error, 'The default account could not be changed.')}
        </Notice>
      )}
      {isAsking && (
        <div className="flex flex-wrap items-center justify-end gap-2">
          <span className="mr-auto">Remove this account?</span>
          <Button size="small" onClick={() => setAsking(false)}>
            Keep it
          </Button>
          <Button
            size="small"
            look="danger"
            pending={remove.isPending}
            onClick={() => remove.mutate(account.id)}
          >
            Remove
          </Button>
        </div>
      )}
      {remove.isError && (
        <Notice tone="error">
          {getErrorMessage(remove.error, 'The account could not be removed.')}
        </Notice>
      )}
    </li>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { BankAccountsDialog, bankQueries, maskNumber } from '../banks/index.ts'

const STATUS_WORDS = {
  unconfirmed: ' (not confirmed)',
  cooling: ' (waiting period)',
  usable: '',
  archived: '',
} as const

type BankFieldProps = {
  value: string
  onChange: (bankId: string) => void
  error: string | null | undefined
}

export function BankField({ value, onChange, error }: BankFieldProps) {
  const [isOpen, setOpen] = useState(false)
  const banks = useQuery(bankQueries.listOwnAccounts())
  if (banks.isError && banks.data === undefined) {
    return (
      <FailedState
        message={getErrorMessage(banks.error, 'Your bank accounts could not be loaded.')}
        error={banks.error}
        onRetry={banks.refetch}
        pending={banks.isFetching}
      />
    )
  }
  const isEmpty = banks.data?.length === 0
  return (
    <div className="grid gap-2">
      <Field
        label="Bank account"
        hint={isEmpty ? 'No bank accounts found. Please add a bank account first.' : undefined}
        error={error}
      >
        {(ids) => (
          <Select
            {...ids}
            name="bank_id"
            required
            disabled={banks.data === undefined || isEmpty}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          >
            <option value="">
              {banks.data === undefined ? 'Loading…' : 'Choose a bank account'}
            </option>
            {banks.data?.map((account) => (
              <option key={account.id} value={account.id} disabled={account.status !== 'usable'}>
                {account.label === null ? '' : `${account.label}: `}
                {account.bankName}, {maskNumber(account.accountNumber)}
                {STATUS_WORDS[account.status]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button size="small" className="w-fit" onClick={() => setOpen(true)}>
        {isEmpty ? 'Add a bank account' : 'Add or change a bank account'}
      </Button>
      <BankAccountsDialog open={isOpen} onOpenChange={setOpen} />
    </div>
  )
}

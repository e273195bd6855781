import { ACCOUNT_TYPES } from '@cairn/gateway-contracts'
import { useForm } from 'react-hook-form'

import { getErrorMessage, getFieldErrors } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input, Select } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { useAddBank } from './queries.ts'

type BankForm = {
  bankName: string
  accountNumber: string
  accountName: string
  label: string
  accountType: (typeof ACCOUNT_TYPES)[number]
}

const FIELDS = [
  { name: 'bankName', label: 'Bank name', autoComplete: 'off' },
  { name: 'accountNumber', label: 'Account number', autoComplete: 'off' },
  { name: 'accountName', label: 'Account name', autoComplete: 'name' },
] as const

export function BankAccountForm({ onDone }: { onDone: () => void }) {
  const add = useAddBank()
  const { register, handleSubmit, formState } = useForm<BankForm>({
    defaultValues: { accountType: ACCOUNT_TYPES[0] },
  })
  const served = getFieldErrors(add.error)
  const submit = handleSubmit((form) => add.mutate(form, { onSuccess: onDone }))
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      {FIELDS.map(({ name, label, autoComplete }) => (
        <Field
          key={name}
          label={label}
          error={formState.errors[name]?.message ?? served[name] ?? null}
        >
          {(ids) => (
            <Input
              {...ids}
              autoComplete={autoComplete}
              {...register(name, {
                validate: (text) => (text ?? '').trim() !== '' || `${label} is required`,
              })}
            />
          )}
        </Field>
      ))}
      <Field label="Account type" error={served.accountType}>
        {(ids) => (
          <Select {...ids} {...register('accountType')}>
            {ACCOUNT_TYPES.map((type) => (
              <option key={type} value={type}>
                {type.charAt(0).toUpperCase() + type.slice(1)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Label"
        optional
        hint="A name of your choice, such as Savings."
        error={served.label}
      >
        {(ids) => <Input {...ids} autoComplete="off" maxLength={60} {...register('label')} />}
      </Field>
      {add.isError && (
        <Notice tone="error">
          {getErrorMessage(add.error, 'The account could not be saved.')}
        </Notice>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Back</Button>
        <Button type="submit" look="primary" pending={add.isPending}>
          Save account
        </Button>
      </div>
    </form>
  )
}

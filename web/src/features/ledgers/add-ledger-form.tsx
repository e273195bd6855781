import { type FormEvent, useState } from 'react'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ChangeReason, toReason } from '../changes/index.ts'
import { useAddLedger } from './queries.ts'

/** Adds a ledger, which gets no people before it is opened. */
export function AddLedgerForm({ onDone }: { onDone: () => void }) {
  const add = useAddLedger()
  const [number, setNumber] = useState('')
  const [name, setName] = useState('')
  const [reason, setReason] = useState('')
  const served = getFieldErrors(add.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(
      { number: number.trim(), name, ...toReason(reason) },
      {
        onSuccess: () => {
          notifySuccess('Ledger added. Its plans and rules are being copied.')
          onDone()
        },
      },
    )
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <p className="text-14">
        The ledger service must serve the ledger already. It gets the plans, rules and approvers of
        the first ledger, and no people before you open it. A ledger is never removed.
      </p>
      <Field
        label="Number"
        hint="The number of the ledger in the ledger service"
        error={served.number}
      >
        {(ids) => (
          <Input
            {...ids}
            inputMode="numeric"
            maxLength={4}
            value={number}
            onChange={(event) => setNumber(event.target.value)}
          />
        )}
      </Field>
      <Field label="Name" hint="Administrators see it, people do not" error={served.name}>
        {(ids) => (
          <Input
            {...ids}
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <ChangeReason value={reason} onChange={setReason} error={served.reason} />
      <ActFailure error={add.error} fallback="The ledger could not be added." />
      <Button type="submit" look="primary" className="ml-auto" pending={add.isPending}>
        Add ledger
      </Button>
    </form>
  )
}

import { useState } from 'react'

import { getFieldErrors } from '../../shared/api/failure.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { ChangeReason, toReason } from '../changes/index.ts'
import { type SiteLedger, useOpenLedger } from './queries.ts'

const OPENING =
  'New people are spread over the open ledgers. A person cannot change the ledger later. For 24 hours after an approver is copied, decisions on the money of this ledger that need two administrators are refused.'
const CLOSING =
  'New people get one of the other open ledgers. People of this ledger, and people whom they refer, notice nothing.'

/** Opens a ledger for new people, or closes it. */
export function OpenLedgerForm({ ledger, onDone }: { ledger: SiteLedger; onDone: () => void }) {
  const edit = useOpenLedger(ledger.number)
  const [reason, setReason] = useState('')
  const isOpen = !ledger.isOpen
  const submit = () =>
    edit.mutate(
      { isOpen, ...toReason(reason) },
      {
        onSuccess: () => {
          notifySuccess(isOpen ? 'Ledger opened for new people.' : 'Ledger closed for new people.')
          onDone()
        },
      },
    )
  return (
    <div className="grid gap-4">
      <p className="text-14">{isOpen ? OPENING : CLOSING}</p>
      {isOpen && (
        <ChangeReason
          value={reason}
          onChange={setReason}
          error={getFieldErrors(edit.error).reason}
        />
      )}
      <ActFailure error={edit.error} fallback="The ledger could not be changed." />
      <Button look="primary" className="ml-auto" pending={edit.isPending} onClick={submit}>
        {isOpen ? 'Open for New People' : 'Close for New People'}
      </Button>
    </div>
  )
}

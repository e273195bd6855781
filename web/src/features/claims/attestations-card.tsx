import { exportAttestations } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { getFieldErrors } from '../../shared/api/failure.ts'
import { parseMoney, toAmountText, toMinor } from '../../shared/money/money.ts'
import { Allowed } from '../../shared/session/permissions.tsx'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { EmptyLine } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { FileDrop } from '../../shared/ui/file-drop.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { MoneyInput } from '../../shared/ui/money-input.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { describePictureLimits } from '../../shared/ui/picture-file.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { WaitingChanges } from '../changes/index.ts'
import { type Attestation, claimQueries, useAttest } from './queries.ts'

/** Shows the attested bank balances beside the ledger's cash, as two separate figures. */
export function AttestationsCard() {
  const query = useQuery(claimQueries.listAttestations())
  const [isAdding, setAdding] = useState(false)
  const actions = (
    <span className="flex flex-wrap gap-2">
      <Allowed permission="attestations.write">
        <Button onClick={() => setAdding(true)}>Attest assets</Button>
      </Allowed>
      <CsvLink endpoint={exportAttestations} what="attested assets" />
    </span>
  )
  return (
    <Card>
      <CardHeader title="Attested assets" note="Valid for 35 days" action={actions} />
      <div className="px-5 empty:hidden">
        <WaitingChanges kind="attestation" />
      </div>
      {query.isError && (
        <div className="p-5">
          <FailedState
            message="The attestations could not be loaded."
            error={query.error}
            onRetry={query.refetch}
            pending={query.isFetching}
          />
        </div>
      )}
      {query.isPending && <Skeleton className="mx-5 my-3 h-5 w-60" />}
      {query.data?.length === 0 && (
        <EmptyLine
          title="No attestations yet"
          text="One administrator uploads a bank statement. Another administrator confirms it."
        />
      )}
      <ul className="divide-y divide-line">
        {query.data?.map((attestation) => (
          <Row key={attestation.id} attestation={attestation} />
        ))}
      </ul>
      <Dialog open={isAdding} onOpenChange={setAdding} title="Attest assets">
        {isAdding && <AttestationForm onDone={() => setAdding(false)} />}
      </Dialog>
    </Card>
  )
}

function Row({ attestation }: { attestation: Attestation }) {
  return (
    <li className="grid gap-2 px-5 py-4 text-14">
      <div className="flex flex-wrap items-baseline justify-between gap-3">
        <MoneyText minor={toMinor(attestation.assets)} className="font-semibold text-16" />
        <span className="text-muted">
          as of <DateText at={attestation.asOf} format="day" />
        </span>
      </div>
      {attestation.note !== null && <p className="break-words">{attestation.note}</p>}
      <p className="text-12 text-muted">
        By {attestation.madeBy?.name ?? 'Unknown'}. Confirmed by{' '}
        {attestation.confirmedBy?.name ?? 'Unknown'}.{' '}
        <a href={attestation.document} target="_blank" rel="noreferrer" className="underline">
          The document
        </a>
        , SHA-256 <code className="break-all">{attestation.documentSha256}</code>
      </p>
    </li>
  )
}

function AttestationForm({ onDone }: { onDone: () => void }) {
  const [asOf, setAsOf] = useState('')
  const [typed, setTyped] = useState('')
  const [note, setNote] = useState('')
  const [document, setDocument] = useState<File | null>(null)
  const [isChecked, setChecked] = useState(false)
  const attest = useAttest()
  const served = getFieldErrors(attest.error)
  const amount = parseMoney(typed)
  const isAmount = amount !== null && amount > 0n
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (attest.isPending || amount === null || !isAmount || document === null || asOf === '') return
    attest.mutate({ asOf, assets: toAmountText(amount), note, document }, { onSuccess: onDone })
  }
  const getMessageIfMissing = (isMissing: boolean, words: string) =>
    isChecked && isMissing ? words : null
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <Field
        label="Day of the statement"
        error={getMessageIfMissing(asOf === '', 'Enter the day of the statement') ?? served.asOf}
      >
        {(ids) => (
          <Input
            {...ids}
            type="date"
            value={asOf}
            onChange={(event) => setAsOf(event.target.value)}
          />
        )}
      </Field>
      <Field
        label="Assets"
        error={
          getMessageIfMissing(!isAmount, 'Enter an amount with at most two decimals') ??
          served.assets
        }
      >
        {(ids) => (
          <MoneyInput {...ids} value={typed} onChange={(event) => setTyped(event.target.value)} />
        )}
      </Field>
      <Field label="Note" optional error={served.note}>
        {(ids) => (
          <Input
            {...ids}
            maxLength={500}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        )}
      </Field>
      <FileDrop
        label="Document"
        hint={`PDF, ${describePictureLimits()}`}
        accept="application/pdf,image/png,image/jpeg"
        file={document}
        onFile={setDocument}
        error={
          getMessageIfMissing(document === null, 'Choose a bank statement') ??
          served.document ??
          null
        }
      />
      <ActFailure error={attest.error} fallback="The assets were not attested." />
      <Button type="submit" look="primary" pending={attest.isPending} className="justify-self-end">
        Attest
      </Button>
    </form>
  )
}

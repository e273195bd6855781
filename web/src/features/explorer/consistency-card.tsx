import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { toLedgerQuery } from '../../shared/url/ledger-of-url.ts'
import { trustKeysOfLedger } from '../verify/index.ts'
import { type SignedHead, verifyConsistency } from './consistency.ts'
import { readConsistency } from './queries.ts'

type CardProps = {
  heads: readonly SignedHead[]
  verifierKeys: readonly string[]
  /** The ledger of the checkpoints; null for the first one. */
  ledger: number | null
}

/**
 * Checks whether the log of a later checkpoint begins with the unchanged log of an earlier
 * checkpoint.
 */
export function ConsistencyCard({ heads, verifierKeys, ledger }: CardProps) {
  const [later, setLater] = useState<string | null>(null)
  const [earlier, setEarlier] = useState<string | null>(null)
  const laterSize = later ?? heads[0]?.size ?? ''
  const earlierSize = earlier ?? heads.at(-1)?.size ?? ''
  const compare = useMutation({
    mutationFn: async () => {
      const chosen = [earlierSize, laterSize].map((size) =>
        heads.find((head) => head.size === size),
      )
      const [one, other] = chosen
      if (one === undefined || other === undefined) throw new Error('no such checkpoint')
      const isOrdered = BigInt(one.size) <= BigInt(other.size)
      const [earlier, later] = isOrdered ? [one, other] : [other, one]
      const sizes = { from: earlier.size, to: later.size }
      const { path } = await readConsistency({ ...toLedgerQuery(ledger), ...sizes })
      const trust = (offered: readonly string[]) =>
        trustKeysOfLedger({ ledger, verifierKeys: offered })
      const claim = { earlier, later, path, verifierKeys, trust }
      const verdict = await verifyConsistency(claim)
      return { verdict, earlier, later }
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!compare.isPending) compare.mutate()
  }
  const answer = compare.data
  return (
    <Card>
      <CardHeader title="Compare two checkpoints" note="Verified in your browser" />
      <form onSubmit={submit} className="grid gap-4 p-5 sm:grid-cols-[1fr_1fr_auto] sm:items-end">
        <HeadField label="Earlier" heads={heads} value={earlierSize} onChange={setEarlier} />
        <HeadField label="Later" heads={heads} value={laterSize} onChange={setLater} />
        <Button
          type="submit"
          look="primary"
          pending={compare.isPending}
          disabled={heads.length === 0}
          className="h-11"
        >
          Compare
        </Button>
      </form>
      <div className="px-5 pb-5 empty:hidden" aria-live="polite">
        {compare.isError && (
          <Notice tone="error">
            {getErrorMessage(compare.error, 'The proof could not be read.')}
          </Notice>
        )}
        {answer?.verdict.isConsistent === true && (
          <Notice tone="success">
            The ledger of {formatCounted(BigInt(answer.later.size), 'event')} begins with the whole
            ledger of {answer.earlier.size}: no event was changed or removed.
          </Notice>
        )}
        {answer?.verdict.isConsistent === false && (
          <Notice tone="error">Not proved: {answer.verdict.reason}.</Notice>
        )}
      </div>
    </Card>
  )
}

type HeadFieldProps = {
  label: string
  heads: readonly SignedHead[]
  value: string
  onChange: (size: string) => void
}

function HeadField({ label, heads, value, onChange }: HeadFieldProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <Select {...ids} value={value} onChange={(event) => onChange(event.target.value)}>
          {heads.map(({ size, root }) => (
            <option key={size} value={size}>
              {formatCounted(BigInt(size), 'event')}, {root.slice(0, 8)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

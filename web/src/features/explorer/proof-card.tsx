import { formatCounted } from '@cairn/gateway-contracts/counted'
import { splitEventNumber } from '@cairn/gateway-contracts/event-numbers'
import { useQuery } from '@tanstack/react-query'
import { Download, ShieldAlert, ShieldCheck } from 'lucide-react'

import { getRootKey } from '../../shared/api/query-keys.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { saveFile } from '../../shared/ui/save-file.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import {
  computeProofPath,
  countProofHashes,
  type PathStep,
  trustKeysOfLedger,
} from '../verify/index.ts'
import { type Verdict, verifyEventProof } from './event-proof.ts'
import { HashText } from './hash-text.tsx'
import type { LogEvent } from './queries.ts'

type ProofCardProps = {
  event: LogEvent
  bytes: string
  receipt: string | null
  verifierKeys: readonly string[]
}

/**
 * Verifies the proof in the browser. The only trusted input is the public key that the browser has
 * stored.
 */
export function ProofCard({ event, bytes, receipt, verifierKeys }: ProofCardProps) {
  const { seq } = event
  const { ledger } = splitEventNumber(seq)
  const trust = (offered: readonly string[]) => trustKeysOfLedger({ ledger, verifierKeys: offered })
  const verdict = useQuery({
    queryKey: [...getRootKey('proof'), event, bytes, receipt, verifierKeys],
    queryFn: () => verifyEventProof({ event, bytes, receipt: receipt ?? '', verifierKeys, trust }),
    enabled: receipt !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const download = () =>
    receipt !== null &&
    saveFile({ name: `event-${seq}.tlog-proof`, text: receipt, mediaType: 'text/plain' })
  return (
    <Card>
      <CardHeader
        title="Proof"
        action={
          receipt !== null && (
            <span className="flex items-center gap-1">
              <Button size="small" onClick={download}>
                <Download aria-hidden="true" className="size-3.5" />
                Download the ledger receipt
              </Button>
              <TermInfo term="receipt" />
            </span>
          )
        }
      />
      <div className="grid gap-5 p-5 text-14">
        {receipt === null ? (
          <Notice tone="info">
            No checkpoint covers this event yet. The next checkpoint will cover it.
          </Notice>
        ) : verdict.data === undefined ? (
          verdict.isError ? (
            <Notice tone="error">Your browser could not verify the receipt.</Notice>
          ) : (
            <ProofPlaceholder receipt={receipt} />
          )
        ) : (
          <VerdictView seq={seq} receipt={receipt} verdict={verdict.data} />
        )}
      </div>
    </Card>
  )
}

/**
 * A placeholder with the height of the proof, so that nothing below moves after the verification.
 */
function ProofPlaceholder({ receipt }: { receipt: string }) {
  const rows = Array.from({ length: countProofHashes(receipt) + 2 }, (_, row) => row)
  return (
    <>
      <Skeleton className="h-14 w-full rounded-card max-sm:h-21" />
      <div className="grid gap-3">
        <Skeleton className="h-5 w-72" />
        <div className="grid gap-1">
          {rows.map((row) => (
            <Skeleton key={row} className="h-7.25 w-full rounded-full max-sm:h-11" />
          ))}
        </div>
      </div>
    </>
  )
}

function VerdictView(props: { seq: string; receipt: string; verdict: Verdict }) {
  const { seq, receipt, verdict } = props
  if (!verdict.isProved) {
    return (
      <div role="alert" className="flex gap-3 rounded-card bg-declined-soft p-4 text-declined">
        <ShieldAlert aria-hidden="true" className="size-6 shrink-0" />
        <div className="grid gap-1">
          <p className="font-semibold">Event {seq} does not match the signed ledger.</p>
          <p>Reason: {verdict.reason}. Stop all money decisions and verify the whole ledger.</p>
        </div>
      </div>
    )
  }
  const { leaf, steps } = computeProofPath(receipt, verdict.size)
  return (
    <>
      <div className="flex gap-3 rounded-card bg-success-soft p-4 text-success">
        <ShieldCheck aria-hidden="true" className="size-6 shrink-0" />
        <p>
          <span className="font-semibold">Verified in your browser.</span> Event {seq} is among the
          first {formatCounted(verdict.size, 'event')} that {verdict.origin} has signed.
        </p>
      </div>
      <PathView leaf={leaf} steps={steps} root={verdict.root} />
    </>
  )
}

/** Draws the inclusion proof from the event at the bottom to the signed root at the top. */
function PathView(props: { leaf: string; steps: readonly PathStep[]; root: string }) {
  const { leaf, steps, root } = props
  return (
    <figure className="grid gap-3">
      <figcaption className="text-muted">
        Inclusion proof: {formatCounted(steps.length, 'hash', 'hashes')} from this event to the
        signed root
      </figcaption>
      <ol reversed className="grid gap-1">
        <PathRow look="bg-accent text-on-accent" name="Signed root" hash={root} inset={0} />
        {steps.toReversed().map((step, index) => (
          <PathRow
            key={step.result}
            look={index % 2 === 0 ? 'bg-accent-soft' : 'bg-sunken'}
            name={`Step ${steps.length - index}`}
            hash={step.result}
            beside={{ side: step.side, hash: step.sibling }}
            inset={index + 1}
          />
        ))}
        <PathRow look="bg-info-soft" name="Event hash" hash={leaf} inset={steps.length + 1} />
      </ol>
    </figure>
  )
}

const INSET_MAX = 12

type PathRowProps = {
  look: string
  name: string
  hash: string
  beside?: { side: 'left' | 'right'; hash: string }
  inset: number
}

function PathRow({ look, name, hash, beside, inset }: PathRowProps) {
  return (
    <li
      className={`mx-auto flex w-full flex-wrap items-center justify-between gap-x-4 rounded-full px-5 py-1.5 text-12 ${look}`}
      // Lower rows are wider, so that the figure looks like the logo.
      style={{ maxWidth: `${64 + (Math.min(inset, INSET_MAX) / INSET_MAX) * 36}%` }}
    >
      <span className="font-medium">{name}</span>
      <span className="flex flex-wrap gap-x-3">
        <HashText hash={hash} />
        {beside !== undefined && (
          <span className="text-muted">
            with <HashText hash={beside.hash} /> on the {beside.side}
          </span>
        )}
      </span>
    </li>
  )
}

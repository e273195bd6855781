import { formatCount } from '@cairn/gateway-contracts/counted'
import { splitEventNumber } from '@cairn/gateway-contracts/event-numbers'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, ShieldCheck } from 'lucide-react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { saveFile } from '../../shared/ui/save-file.ts'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { sessionQueries } from '../sessions/index.ts'
import { showVerdict, VerdictView, verifyWithOfferedKeys } from '../verify/index.ts'
import { findMismatch } from './find-mismatch.ts'
import { type Transaction, transactionQueries } from './queries.ts'
import { STEP_WORDS, type TransactionStep } from './review-facts.tsx'

type ProofSectionProps = {
  transaction: Transaction
  /** The newest step of the transaction. Undefined until it has loaded. */
  newest: TransactionStep | undefined
}

/**
 * Verifies the ledger receipt of the newest event in the browser, and offers the receipt for
 * download.
 */
export function ProofSection({ transaction, newest }: ProofSectionProps) {
  const queryClient = useQueryClient()
  const me = useQuery(sessionQueries.me()).data
  const readProof = () =>
    queryClient.fetchQuery({ ...transactionQueries.readProof(transaction.id), staleTime: 0 })
  const check = useMutation({
    mutationFn: async () => {
      const { seq, receipt, verifierKeys } = await readProof()
      const { ledger } = splitEventNumber(seq)
      const verdict = await verifyWithOfferedKeys(receipt, { ledger, verifierKeys })
      if (!verdict.isRight) return verdict
      const wanted = { transactionId: transaction.id, seq, newestSeq: newest?.seq ?? null }
      const reason = findMismatch(verdict.facts, wanted)
      return reason === null ? verdict : ({ isRight: false, reason } as const)
    },
  })
  const download = useMutation({
    mutationFn: async () =>
      saveFile({
        name: `${transaction.reference}.tlog-proof`,
        text: (await readProof()).receipt,
        mediaType: 'text/plain',
      }),
  })
  const error = check.error ?? download.error
  return (
    <section aria-labelledby="proof" className="grid gap-3 border-line border-t pt-5">
      <h3 id="proof" className="font-medium text-14">
        Ledger receipt
      </h3>
      <p className="text-14 text-muted">
        A ledger receipt proves that{' '}
        {newest === undefined
          ? 'the newest event'
          : `event ${formatCount(newest.seq)} (${STEP_WORDS[newest.kind]})`}{' '}
        is in the signed ledger and was not changed. Anyone can verify it on{' '}
        <TextLink to="/verify">the verify page</TextLink>.
      </p>
      {error !== null && (
        <Notice tone="error">
          {getErrorMessage(error, 'The ledger receipt could not be loaded. Please try again.')}
        </Notice>
      )}
      {check.data !== undefined && (
        <div ref={showVerdict} tabIndex={-1} className="scroll-my-4">
          <VerdictView
            verdict={check.data}
            reference={transaction.reference}
            ownerId={me?.id ?? null}
          />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button pending={check.isPending} onClick={() => check.mutate()}>
          <ShieldCheck aria-hidden="true" className="size-4" />
          Verify
        </Button>
        <Button pending={download.isPending} onClick={() => download.mutate()}>
          <Download aria-hidden="true" className="size-4" />
          Download the ledger receipt
        </Button>
      </div>
    </section>
  )
}

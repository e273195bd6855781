import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Banner } from '../../shared/ui/banner.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { FileDrop } from '../../shared/ui/file-drop.tsx'
import { Textarea } from '../../shared/ui/inputs.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { TERMS } from '../../shared/ui/terms.ts'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { KeyCards } from './key-card.tsx'
import { readLedgerKey } from './ledger-key-query.ts'
import { findFurtherLedger } from './ledger-keys.ts'
import { LiveProof } from './live-proof.tsx'
import { KEY_RULE } from './pinned-keys.ts'
import { verifyQueries } from './queries.ts'
import { SampleCheck } from './sample-check.tsx'
import { showVerdict } from './show-verdict.ts'
import { VerdictView } from './verdict-view.tsx'
import { RECEIPT_CHARACTERS_MAX, type Verdict, verifyWithOfferedKeys } from './verify-file.ts'

export function VerifyPage() {
  return (
    <>
      <Banner text="Verify that an event is in the signed ledger. Your browser verifies the receipt; it is not uploaded." />
      <Section title="Your receipt" text={TERMS.receipt.text}>
        <ReceiptForm />
      </Section>
      <Section
        split
        title="Sample receipt"
        text="If you have no receipt, verify the plan that this site recorded last, and change one character to see what a wrong record looks like."
        sunken
      >
        <LiveProof first="sample" sample={<SampleCheck />} />
      </Section>
      <Section split title="What is checked">
        <ol className="grid list-decimal gap-3 pl-5 text-16 text-muted">
          <li>The signature of the ledger on its root (Ed25519).</li>
          <li>
            The inclusion proof: the hashes from your event, byte for byte, to the signed root (RFC
            6962).
          </li>
          <li>The number of the event: it must equal the number on the receipt.</li>
        </ol>
        <p className="text-16 text-muted">
          A receipt shows that the event is in the ledger. It does not show what a bank account
          holds; only a bank statement shows that.
        </p>
      </Section>
      <Section
        split
        sunken
        title="The key of the ledger"
        text={`${KEY_RULE} Statements and certificates print the key.`}
      >
        <KeyCards />
      </Section>
    </>
  )
}

function ReceiptForm() {
  const queryClient = useQueryClient()
  const keys = useQuery(verifyQueries.readLogKey())
  const [file, setFile] = useState<File | null>(null)
  const [text, setText] = useState('')
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  /** The ledger whose keys could not be loaded; null if there is none. */
  const [silent, setSilent] = useState<number | null>(null)
  const verify = async (receipt: string) => {
    // If the keys are still loading, waits for them. If they cannot be loaded, the form says so.
    const known = keys.data ?? (await keys.refetch()).data
    if (known === undefined) return
    const ledger = findFurtherLedger(receipt, known.ledgers ?? [])
    const own =
      ledger === null
        ? known
        : await queryClient.fetchQuery(readLedgerKey(ledger)).catch(() => null)
    setSilent(own === null ? ledger : null)
    if (own !== null) setVerdict(await verifyWithOfferedKeys(receipt, { ledger, ...own }))
  }
  const choose = async (chosen: File | null) => {
    setFile(chosen)
    setVerdict(null)
    setSilent(null)
    const content = (await chosen?.slice(0, RECEIPT_CHARACTERS_MAX + 1).text()) ?? ''
    setText(content)
    if (content !== '') await verify(content)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void verify(text)
  }
  return (
    <div className="grid gap-8 lg:grid-cols-2 lg:items-start">
      <form onSubmit={submit} className="grid gap-4">
        {keys.isError && keys.data === undefined && (
          <FailedState
            message="The keys of the ledger could not be loaded. Receipts cannot be verified without them."
            error={keys.error}
            onRetry={keys.refetch}
            pending={keys.isFetching}
          />
        )}
        {silent !== null && (
          <FailedState
            message={`Ledger ${silent} signed this receipt, and its keys could not be loaded. The receipt cannot be verified without them.`}
            onRetry={() => void verify(text)}
          />
        )}
        <FileDrop
          label="Receipt file"
          hint="A file that ends in .tlog-proof, which stays in your browser."
          accept=".tlog-proof,text/plain"
          file={file}
          onFile={(chosen) => void choose(chosen)}
        />
        <Field label="Receipt" hint="Or paste the text of the receipt.">
          {(ids) => (
            <Textarea
              {...ids}
              rows={8}
              spellCheck={false}
              placeholder="c2sp.org/tlog-proof@v1"
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                setVerdict(null)
                setSilent(null)
              }}
              className="font-mono text-12"
            />
          )}
        </Field>
        <Button
          type="submit"
          look="primary"
          className="w-fit"
          disabled={text.trim() === '' || keys.data === undefined}
        >
          Verify
        </Button>
      </form>
      {verdict === null ? (
        <p className="max-w-none rounded-card border border-line border-dashed p-6 text-16 text-muted">
          The result appears here. An investor can also verify each event in the list of
          transactions: <TextLink to="/manage/investor/transactions">choose a transaction</TextLink>
          .
        </p>
      ) : (
        <div ref={showVerdict} tabIndex={-1} className="scroll-mt-24 scroll-mb-16">
          <VerdictView verdict={verdict} />
        </div>
      )}
    </div>
  )
}

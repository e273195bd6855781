import { useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { type DragEvent, type FormEvent, useState } from 'react'
import { Banner } from '../../shared/ui/banner.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { cx } from '../../shared/ui/cx.ts'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Textarea } from '../../shared/ui/inputs.tsx'
import { Section } from '../../shared/ui/section.tsx'
import { verifyQueries } from './queries.ts'
import { VerdictView } from './verdict-view.tsx'
import { RECEIPT_CHARACTERS_MAX, type Verdict, verifyFile } from './verify-file.ts'

export function VerifyPage() {
  return (
    <>
      <Banner text="Verify that an entry is in the signed log. Your browser verifies the receipt; it is not uploaded." />
      <Section title="Your receipt">
        <ReceiptForm />
      </Section>
      <Section title="What is checked" sunken>
        <ol className="grid max-w-2xl list-decimal gap-3 pl-5 text-16 text-muted">
          <li>The signature of the log on its root (Ed25519).</li>
          <li>
            The inclusion proof: the hashes from your entry, byte for byte, to the signed root (RFC
            6962).
          </li>
          <li>The number of the entry: it is the number that the receipt states.</li>
        </ol>
        <p className="max-w-2xl text-16 text-muted">
          It shows that the entry is in the log. It does not show what a bank account holds;
          attestations cover that.
        </p>
      </Section>
    </>
  )
}

function ReceiptForm() {
  const keys = useQuery(verifyQueries.keys())
  const [text, setText] = useState('')
  const [verdict, setVerdict] = useState<Verdict | null>(null)
  const [isOver, setOver] = useState(false)
  const check = async (file: string) => {
    if (keys.data !== undefined) setVerdict(await verifyFile(file, keys.data))
  }
  const read = async (file: File | undefined) => {
    if (file === undefined) return
    const content = await file.slice(0, RECEIPT_CHARACTERS_MAX + 1).text()
    setText(content)
    await check(content)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void read(event.dataTransfer.files[0])
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void check(text)
  }
  return (
    <div className="grid gap-8 lg:grid-cols-2 lg:items-start">
      <form
        onSubmit={submit}
        onDrop={drop}
        onDragLeave={() => setOver(false)}
        className="grid gap-4"
      >
        {keys.isError && keys.data === undefined && (
          <FailedState
            message="The keys of the log could not be loaded. Receipts cannot be verified without them."
            onRetry={keys.refetch}
            pending={keys.isFetching}
          />
        )}
        <Field label="Receipt" hint="Paste it, drop the file here, or choose it.">
          {(ids) => (
            <Textarea
              {...ids}
              rows={12}
              spellCheck={false}
              placeholder="c2sp.org/tlog-proof@v1"
              value={text}
              onDragOver={(event) => {
                event.preventDefault()
                setOver(true)
              }}
              onChange={(event) => {
                setText(event.target.value)
                setVerdict(null)
              }}
              className={cx('font-mono text-12', isOver && 'border-accent bg-accent-soft')}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button
            type="submit"
            look="primary"
            disabled={text.trim() === '' || keys.data === undefined}
          >
            Verify
          </Button>
          <label className="inline-flex h-10 cursor-pointer items-center gap-2 rounded-card border border-line-strong bg-surface px-4 font-medium text-14 focus-within:outline-2 focus-within:outline-accent focus-within:outline-offset-2 hover:bg-sunken">
            <FileUp aria-hidden="true" className="size-4" />
            Choose a file
            <input
              type="file"
              className="sr-only"
              onChange={(event) => {
                void read(event.target.files?.[0])
                event.target.value = ''
              }}
            />
          </label>
        </div>
      </form>
      {verdict !== null && <VerdictView verdict={verdict} />}
    </div>
  )
}

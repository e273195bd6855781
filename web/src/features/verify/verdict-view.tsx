import { formatMinorOf } from '../../shared/money/asset-text.ts'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import type { ReceiptFacts, Verdict } from './verify-file.ts'

export function VerdictView({ verdict }: { verdict: Verdict }) {
  return (
    <div role="status" className="grid gap-4">
      {verdict.isRight ? (
        <>
          {verdict.facts.lostAt === null ? (
            <Notice tone="success">
              <strong className="font-semibold">This receipt matches the signed ledger.</strong> The
              entry below is in the ledger, unchanged. Your browser has verified this.
            </Notice>
          ) : (
            <Notice tone="warning">
              <strong className="font-semibold">
                Recorded, but lost in the restore of{' '}
                <DateText at={verdict.facts.lostAt} format="moment" />.
              </strong>{' '}
              The ledger signed the entry below and no longer contains it. Keep this receipt.
            </Notice>
          )}
          <Facts facts={verdict.facts} />
        </>
      ) : (
        <Notice tone="error">
          <strong className="font-semibold">This receipt does not match the ledger:</strong>{' '}
          {verdict.reason}.
        </Notice>
      )}
    </div>
  )
}

function Facts({ facts }: { facts: ReceiptFacts }) {
  return (
    <div className="grid gap-4">
      <FactList>
        <Fact name="Entry">
          <span className="tabular">
            {facts.seq} of {facts.size}
          </span>
        </Fact>
        <Fact name="Event">{formatEventType(facts.type)}</Fact>
        {facts.recordedAt !== null && (
          <Fact name="Recorded">
            <DateText at={facts.recordedAt} format="moment" />
          </Fact>
        )}
        {facts.postings.map(({ account, amountMinor }) => (
          <Fact key={account} name={<span className="break-all">{account}</span>}>
            <span className="tabular whitespace-nowrap">{formatMinorOf(account, amountMinor)}</span>
          </Fact>
        ))}
        <Fact name="Signed by">
          <span className="break-all">{facts.origin}</span>
        </Fact>
      </FactList>
      <details className="text-14">
        <summary className="w-fit py-1 font-medium">Raw record</summary>
        <pre className="mt-2 whitespace-pre-wrap break-all rounded-card bg-sunken p-3 text-12">
          {JSON.stringify(facts.event, null, 2)}
        </pre>
      </details>
    </div>
  )
}

/** Formats `DepositApproved` as `Deposit approved`. */
function formatEventType(type: string): string {
  const words = type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

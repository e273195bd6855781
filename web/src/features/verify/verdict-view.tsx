import { formatCount } from '@cairn/gateway-contracts/counted'
import { formatMinorOf } from '../../shared/money/asset-text.ts'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { describeLeg, isCash } from './describe-leg.ts'
import type { ReceiptFacts, Verdict } from './verify-file.ts'

/** The known context of the event, which the receipt itself does not contain. */
type Context = { reference?: string; ownerId?: string | null }

export function VerdictView({ verdict, ...context }: { verdict: Verdict } & Context) {
  return (
    <div role="status" className="grid gap-4">
      {verdict.isRight ? (
        <>
          {verdict.facts.lostAt === null ? (
            <Notice tone="success">
              <strong className="font-semibold">This receipt matches the signed ledger.</strong> The
              event below is in the ledger, unchanged. Your browser has verified this.
            </Notice>
          ) : (
            <Notice tone="warning">
              <strong className="font-semibold">
                Recorded, but lost in the restore of{' '}
                <DateText at={verdict.facts.lostAt} format="moment" />.
              </strong>{' '}
              The ledger signed the event below and no longer contains it. Keep this receipt.
            </Notice>
          )}
          <Facts facts={verdict.facts} {...context} />
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

function Facts({ facts, reference, ownerId = null }: { facts: ReceiptFacts } & Context) {
  return (
    <div className="grid gap-4">
      <FactList>
        <Fact name="Event">
          <span className="tabular">
            {formatCount(facts.seq)} of {formatCount(facts.size)}
          </span>
        </Fact>
        <Fact name="Type">{formatEventType(facts.type)}</Fact>
        {reference !== undefined && (
          <Fact name="Reference">
            <span className="tabular break-all">{reference}</span>
          </Fact>
        )}
        {facts.recordedAt !== null && (
          <Fact name="Recorded">
            <DateText at={facts.recordedAt} format="moment" />
          </Fact>
        )}
        {facts.effectiveAt !== null && (
          <Fact name="In effect since">
            <DateText at={facts.effectiveAt} format="moment" />
          </Fact>
        )}
        {facts.postings.map((leg) => (
          <Fact key={leg.account} name={<LegName leg={leg} ownerId={ownerId} />}>
            <span className="tabular whitespace-nowrap">{formatLeg(leg)}</span>
          </Fact>
        ))}
        <Fact name="Signed by">
          <span className="break-all">{facts.origin}</span>
        </Fact>
      </FactList>
      {facts.postings.length > 0 && (
        <p className="text-14 text-muted">
          {facts.postings.some(({ account, amountMinor }) => isCash(account) && amountMinor < 0n)
            ? 'Double entry: the amounts of the raw record add up to zero. There, money that the platform receives has a minus sign.'
            : 'Double entry: what is added to one account is taken from another, with a minus sign. The amounts add up to zero.'}
        </p>
      )}
      <details className="text-14">
        <summary className="w-fit py-1 font-medium">Raw record</summary>
        <pre className="mt-2 whitespace-pre-wrap break-all rounded-card bg-sunken p-3 text-12">
          {JSON.stringify(facts.event, null, 2)}
        </pre>
      </details>
    </div>
  )
}

type Leg = { account: string; amountMinor: bigint }

/** Formats the amount. The words of a cash account say whether it received or paid the amount. */
function formatLeg({ account, amountMinor }: Leg): string {
  const shown = isCash(account) && amountMinor < 0n ? -amountMinor : amountMinor
  return formatMinorOf(account, shown).replace('-', '−')
}

/** Names an account in plain words, with its code as a detail. */
function LegName({ leg, ownerId }: { leg: Leg; ownerId: string | null }) {
  const { account: code } = leg
  const words = describeLeg(leg, ownerId)
  return (
    <>
      {words !== null && <span className="block text-ink">{words}</span>}
      <span className={words === null ? 'break-all' : 'block break-all text-12'}>{code}</span>
    </>
  )
}

/** Formats `DepositApproved` as `Deposit approved`. */
function formatEventType(type: string): string {
  const words = type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

import type { getTransactionDetail, ResponseOf } from '@cairn/gateway-contracts'

import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { formatAccount } from './transaction-labels.ts'

const COPIED_SECONDS = 2

type Payment = ResponseOf<typeof getTransactionDetail>['payment']
type PaidTo = ResponseOf<typeof getTransactionDetail>['paidTo']
type PaidFrom = ResponseOf<typeof getTransactionDetail>['paidFrom']

/** Shows the payment details of the operator that the depositor saw at the request. */
export function PaidToFacts({ paidTo }: { paidTo: PaidTo }) {
  if (paidTo === null) return null
  const { bank, accountNumber, extra } = paidTo
  return (
    <FactList>
      <Fact name="Paid to">
        {bank}
        <span className="block break-all font-mono text-muted">{accountNumber}</span>
        {extra !== null && <span className="block whitespace-pre-line text-muted">{extra}</span>}
        <CopyButton
          text={accountNumber}
          isAtEnd
          label="Copy the account number or address"
          notice="Copied to clipboard!"
          noticeSeconds={COPIED_SECONDS}
        />
      </Fact>
    </FactList>
  )
}

/** Shows the account of the operator that paid a withdrawal. */
export function PaidFromFacts({ paidFrom }: { paidFrom: PaidFrom }) {
  if (paidFrom === undefined) return null
  return (
    <FactList>
      <Fact name="Paid from">{paidFrom === null ? 'Treasury' : formatAccount(paidFrom)}</Fact>
    </FactList>
  )
}

/**
 * Shows the details of a crypto payment that the depositor entered. The link to the block explorer
 * leads to an external site.
 */
export function PaymentFacts({ payment }: { payment: Payment }) {
  if (payment === null) return null
  const { hash, network, url } = payment
  return (
    <section aria-label="Cryptocurrency payment" className="grid gap-3">
      <FactList>
        {network !== '' && <Fact name="Network">{network}</Fact>}
        <Fact name="Transaction hash">
          <span className="break-all font-mono">{hash}</span>
        </Fact>
      </FactList>
      <div className="flex flex-wrap items-center gap-3">
        <CopyButton
          text={hash}
          label="Copy the transaction hash"
          notice="Copied to clipboard!"
          noticeSeconds={COPIED_SECONDS}
        />
        {url !== null && (
          <a
            href={url}
            target="_blank"
            rel="noreferrer noopener"
            className="break-all py-0.5 text-14 text-accent underline"
          >
            Look it up at {new URL(url).host} (opens in a new tab)
          </a>
        )}
      </div>
    </section>
  )
}

import type { Transaction } from '@cairn/gateway-contracts'
import type { ReactNode } from 'react'

import { toMinor } from '../../shared/money/money.ts'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { StoredPicture } from '../../shared/ui/stored-picture.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { maskNumber } from '../banks/index.ts'
import { transactionQueries } from './queries.ts'
import { AmountCell, StatusBadge } from './transaction-cells.tsx'
import { describeMethod, getOwner, getPurposeLabel, type PlanNames } from './transaction-labels.ts'

type FactsProps = { transaction: Transaction; viewer: 'investor' | 'admin' }

/** Shows all facts of one transaction, the amount first. */
export function TransactionFacts(props: FactsProps & { planNames?: PlanNames }) {
  return (
    <div className="grid gap-6">
      <AmountFacts {...props} />
      <FurtherFacts {...props} />
    </div>
  )
}

/** Shows the amount and the status of one transaction. */
export function AmountFacts({ transaction, viewer }: FactsProps) {
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="text-28 tracking-tight">
          <AmountCell transaction={transaction} large />
        </span>
        <StatusBadge transaction={transaction} viewer={viewer} />
      </div>
      {viewer === 'admin' && transaction.isApprovedOnce && (
        <Notice tone="info">
          {transaction.status === 'pending'
            ? '1 of 2 approvals: a second administrator must also approve it.'
            : 'Reversal, 1 of 2 approvals: a second administrator must approve it on the page Approvals.'}
        </Notice>
      )}
    </>
  )
}

/** Shows the facts of one transaction below its amount. */
export function FurtherFacts({
  transaction,
  viewer,
  planNames,
}: FactsProps & { planNames?: PlanNames }) {
  return (
    <FactList>
      {viewer === 'admin' && <OwnerFact transaction={transaction} />}
      <MoneyFacts transaction={transaction} />
      <OptionalFact name="Purpose">{getPurposeLabel(transaction, planNames)}</OptionalFact>
      <Fact name={transaction.type === 'withdrawal' ? 'Source' : 'Method'}>
        {describeMethod(transaction.method)}
        {transaction.isMethodAmbiguous && ' (method ambiguous)'}
      </Fact>
      <PayeeFact transaction={transaction} viewer={viewer} />
      <Fact name="Reference">
        <span className="tabular break-all">{transaction.reference}</span>
      </Fact>
      <Fact name="Requested">
        <DateText at={transaction.createdAt} format="moment" />
      </Fact>
      <DecisionFact transaction={transaction} viewer={viewer} />
      {viewer === 'investor' && <ReturnFact transaction={transaction} />}
      <OptionalFact name="Payout reference">{transaction.payoutReference}</OptionalFact>
      {transaction.cancelledBy === null && (
        <OptionalFact name="Reason">{transaction.declineReason}</OptionalFact>
      )}
    </FactList>
  )
}

function DecisionFact({ transaction: { decidedAt, cancelledBy }, viewer }: FactsProps) {
  if (decidedAt === null) return null
  return (
    <Fact name={cancelledBy === null ? 'Decided' : 'Cancelled'}>
      <DateText at={decidedAt} format="moment" />
      {cancelledBy !== null && (viewer === 'investor' ? ', by you' : ', by the investor')}
    </Fact>
  )
}

/** Names the wallet to which the held amount of a cancelled or declined withdrawal has returned. */
function ReturnFact({
  transaction: { type, status, amount, method },
}: {
  transaction: Transaction
}) {
  if (type !== 'withdrawal' || status !== 'declined') return null
  return (
    <Fact name="Returned">
      <MoneyText minor={toMinor(amount)} /> to {describeMethod(method)}
    </Fact>
  )
}

function MoneyFacts({ transaction }: { transaction: Transaction }) {
  if (transaction.type === 'transfer') return null
  return (
    <>
      {transaction.requestedAmount !== transaction.amount && (
        <Fact name="Requested amount">
          <MoneyText minor={toMinor(transaction.requestedAmount)} />
        </Fact>
      )}
      <Fact name="Fee">
        <MoneyText minor={toMinor(transaction.fee)} />
      </Fact>
      <Fact name="Net amount">
        <MoneyText minor={toMinor(transaction.net)} />
      </Fact>
    </>
  )
}

function OwnerFact({ transaction }: { transaction: Transaction }) {
  const { name, email } = getOwner(transaction)
  return (
    <Fact name="User">
      {transaction.user === undefined ? (
        name
      ) : (
        <TextLink to={`/manage/admin/users/${transaction.user.id}`}>{name}</TextLink>
      )}
      {email !== '' && <span className="block break-all text-muted">{email}</span>}
    </Fact>
  )
}

/**
 * Shows the bank account that receives the payment. An administrator sees the whole account number,
 * because the administrator needs it for the payout.
 */
function PayeeFact({ transaction: { bankAccount, status }, viewer }: FactsProps) {
  if (bankAccount === undefined) return null
  const { accountNumber } = bankAccount
  return (
    <Fact name={getPayeeLabel(status, viewer)}>
      {bankAccount.accountName}
      <span className="tabular block text-muted">
        {bankAccount.bankName}, {viewer === 'admin' ? accountNumber : maskNumber(accountNumber)}
      </span>
      <span className="block text-muted first-letter:uppercase">{bankAccount.accountType}</span>
    </Fact>
  )
}

function getPayeeLabel(status: Transaction['status'], viewer: FactsProps['viewer']): string {
  if (status === 'success') return 'Paid to'
  return status === 'pending' && viewer === 'admin' ? 'Pay to' : 'Bank account'
}

function OptionalFact({ name, children }: { name: string; children: ReactNode }) {
  return children === null ? null : <Fact name={name}>{children}</Fact>
}

/** Shows the picture that the investor uploaded with a deposit. */
export function OwnPaymentProof({ path, transactionId }: { path: string; transactionId: string }) {
  return (
    <figure className="grid gap-2">
      <figcaption className="font-medium text-14">
        Your payment proof
        <TermInfo term="payment proof" />
      </figcaption>
      <StoredPicture
        src={path}
        check={transactionQueries.checkReceipt(transactionId)}
        failed="Your payment proof could not be loaded."
        changed="The stored picture is not the one that you uploaded, so it is not shown. Keep your own copy and contact us."
      >
        <a href={path} target="_blank" rel="noreferrer" className="w-fit rounded-card">
          <img
            src={path}
            alt="Your payment proof, opens in full size"
            loading="lazy"
            className="max-h-96 min-h-24 min-w-32 rounded-card border border-line bg-sunken object-contain"
          />
        </a>
      </StoredPicture>
    </figure>
  )
}

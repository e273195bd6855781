import type { WalletAmounts } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { describeFee } from '../../shared/money/fees.ts'
import { formatMoney, formatMoneyBriefly, toMinor } from '../../shared/money/money.ts'
import { sumWallets } from '../../shared/money/sum-wallets.ts'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { ChoiceCard } from '../../shared/ui/choice-card.tsx'
import { DoneState } from '../../shared/ui/done-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { InlineMoney, MoneyText } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { Stepper } from '../../shared/ui/stepper.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { Wizard } from '../../shared/ui/wizard.tsx'
import { useEntryState } from '../../shared/url/entry-state.ts'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { useOwnStats } from '../investments/index.ts'
import { settingsQueries } from '../settings/index.ts'
import { RequestLink, ReviewTime, StatusBadge, type Transaction } from '../transactions/index.ts'
import { InvestedNote } from './invested-note.tsx'
import { describeFilled, SOURCES } from './sources.ts'
import { NO_ARRIVAL_DATE, WithdrawalForm } from './withdrawal-form.tsx'

const STEPS = [
  'Select Withdrawal Source',
  'Enter Withdrawal Details',
  'Withdrawal Requested!',
] as const
const REVIEW = ['Requested', 'Waiting for review', 'Paid']
const BACK = { to: '/manage/investor/transactions', label: 'Back to Transactions' }

/** A withdrawal that was requested; `payee` names the bank account of the investor. */
type Submission = { transaction: Transaction; payee: string }

export function WithdrawalPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const stats = useOwnStats()
  const [submitted, setSubmitted] = useEntryState<Submission>()
  const source = SOURCES.find(({ name }) => name === search.get('source')) ?? null
  const wallet = stats.data?.wallet
  const step = submitted !== null ? 3 : source !== null && wallet !== undefined ? 2 : 1
  return (
    <Wizard steps={STEPS} step={step} back={BACK}>
      {step === 1 && stats.isError && wallet === undefined && (
        <FailedState
          message="Your available amounts could not be loaded."
          error={stats.error}
          onRetry={stats.refetch}
          pending={stats.isFetching}
        />
      )}
      {step === 1 && !(stats.isError && wallet === undefined) && (
        <SourceList
          wallet={wallet}
          held={stats.data?.held}
          onChoose={(name) => url.set({ source: name })}
        />
      )}
      {step === 2 && source !== null && wallet !== undefined && (
        <WithdrawalForm
          key={source.name}
          source={source}
          available={toMinor(wallet[source.name])}
          onBack={() => url.set({ source: null })}
          onSubmitted={setSubmitted}
        />
      )}
      {submitted !== null && <Submitted {...submitted} wallet={wallet} />}
    </Wizard>
  )
}

function SourceList({
  wallet,
  held,
  onChoose,
}: {
  wallet: WalletAmounts | undefined
  held: WalletAmounts | undefined
  onChoose: (name: string) => void
}) {
  const settings = useQuery(settingsQueries.readPublic()).data
  return (
    <div className="grid gap-3">
      <div className="grid gap-1">
        <p className="text-14 text-muted">Available to withdraw</p>
        <p className="h-10 font-semibold text-28 leading-tight tracking-tight">
          {wallet === undefined ? (
            <Skeleton className="h-8 w-40" />
          ) : (
            <MoneyText minor={sumWallets(wallet)} large />
          )}
        </p>
        <p className="min-h-5 text-14 text-muted max-sm:min-h-10">
          {wallet !== undefined && describeFilled(wallet)}
        </p>
        <p className="text-14 text-muted">
          Held
          <TermInfo term="held" />{' '}
          {held === undefined ? (
            <Skeleton className="h-4 w-16" />
          ) : (
            <MoneyText minor={sumWallets(held)} />
          )}
        </p>
        <p className="text-14 text-muted">A request takes money from one wallet.</p>
        <p className="min-h-5 text-14 text-muted">
          {settings !== undefined &&
            `${describeFee(settings.withdrawalFee)} on withdrawals. Minimum ${formatMoneyBriefly(toMinor(settings.minWithdrawal))}.`}
        </p>
        <ReviewTime of={{ type: 'withdrawal' }} />
        {/* The height is the same without an investment, so that the wallets below never move. */}
        <p className="min-h-5 text-14 text-muted max-sm:min-h-10">
          <InvestedNote />
        </p>
      </div>
      {SOURCES.map(({ name, label, text, icon: Icon }) => (
        <ChoiceCard
          key={name}
          icon={
            <span
              aria-hidden="true"
              className="flex size-10 shrink-0 items-center justify-center rounded-card bg-accent-soft text-accent"
            >
              <Icon className="size-5" />
            </span>
          }
          title={label}
          disabled={wallet !== undefined && wallet[name] === 0}
          text={text}
          aside={
            <span className="grid max-sm:basis-full sm:min-w-44 sm:justify-items-end">
              <span className="w-full font-semibold text-16 sm:text-right">
                {wallet === undefined ? (
                  <Skeleton className="h-5 w-20" />
                ) : (
                  <MoneyText minor={toMinor(wallet[name])} />
                )}
              </span>
              {/* One line where it fits, so that the card keeps its height when the amounts arrive. */}
              <span className="text-12 text-muted sm:whitespace-nowrap">
                available
                {held !== undefined && held[name] > 0 && (
                  <>
                    , <MoneyText minor={toMinor(held[name])} /> held
                  </>
                )}
              </span>
            </span>
          }
          onChoose={() => onChoose(name)}
        />
      ))}
    </div>
  )
}

type SubmittedProps = Submission & { wallet: WalletAmounts | undefined }

function Submitted({ transaction, payee, wallet }: SubmittedProps) {
  const left = wallet === undefined ? 0n : sumWallets(wallet)
  return (
    <DoneState
      title={`Withdrawal of ${formatMoney(toMinor(transaction.amount))} is waiting for review`}
      badge={<StatusBadge transaction={transaction} viewer="investor" />}
      action={
        <ButtonLink to="/manage/investor/transactions" look="primary">
          View Transactions
        </ButtonLink>
      }
    >
      <Stepper steps={REVIEW} step={2} hasEnd />
      <p>
        Your withdrawal is being processed. A confirmation email will follow. Until a decision is
        made, you can cancel it. <RequestLink id={transaction.id} />
      </p>
      <ReviewTime of={{ type: 'withdrawal' }} />
      <p>{NO_ARRIVAL_DATE}</p>
      {left > 0n && (
        <p>
          <InlineMoney minor={left} /> is still available.{' '}
          <TextLink to="/manage/investor/withdrawal">Make another request</TextLink>
        </p>
      )}
      <p className="empty:hidden">
        <InvestedNote />
      </p>
      <p>
        Bank account <span className="tabular break-words text-ink">{payee}</span>
      </p>
      <p>
        Reference <span className="tabular text-ink">{transaction.reference}</span>
      </p>
    </DoneState>
  )
}

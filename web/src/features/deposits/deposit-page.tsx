import { describeReviewTime } from '@cairn/gateway-contracts/review-wait'
import { WALLET_LABELS } from '@cairn/gateway-contracts/wallet-labels'
import { useQuery } from '@tanstack/react-query'
import { describeFee } from '../../shared/money/fees.ts'
import { formatMoney, formatMoneyBriefly, toMinor } from '../../shared/money/money.ts'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { ChoiceCard } from '../../shared/ui/choice-card.tsx'
import { DoneState } from '../../shared/ui/done-state.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { Stepper } from '../../shared/ui/stepper.tsx'
import { TwoLinePlaceholder } from '../../shared/ui/table-skeleton.tsx'
import { Wizard } from '../../shared/ui/wizard.tsx'
import { useEntryState } from '../../shared/url/entry-state.ts'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { OptionIcon, type PaymentOption, paymentOptionQueries } from '../payment-options/index.ts'
import { settingsQueries } from '../settings/index.ts'
import {
  RequestLink,
  ReviewTime,
  StatusBadge,
  type Transaction,
  transactionQueries,
} from '../transactions/index.ts'
import { DepositForm } from './deposit-form.tsx'

const STEPS = ['Select Payment Method', 'Enter Deposit Details', 'Deposit Submitted!'] as const
const REVIEW = ['Submitted', 'Waiting for review', 'Deposit Successful']
const BACK = { to: '/manage/investor/transactions', label: 'Back to Transactions' }
const PLACES = [0, 1, 2, 3]

export function DepositPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const options = useQuery(paymentOptionQueries.listOptions())
  const [submitted, setSubmitted] = useEntryState<Transaction>()
  const chosen = options.data?.find(({ id }) => id === search.get('option')) ?? null
  const step = submitted !== null ? 3 : chosen !== null ? 2 : 1
  return (
    <Wizard steps={STEPS} step={step} back={BACK}>
      {step === 1 && <OptionList onChoose={(id) => url.set({ option: id })} />}
      {step === 2 && chosen !== null && (
        <DepositForm
          key={chosen.id}
          option={chosen}
          suggested={search.get('amount') ?? ''}
          onBack={() => url.set({ option: null })}
          onSubmitted={setSubmitted}
        />
      )}
      {submitted !== null && <Submitted transaction={submitted} />}
    </Wizard>
  )
}

function OptionList({ onChoose }: { onChoose: (id: string) => void }) {
  const {
    data: options,
    isError,
    refetch,
    isFetching,
  } = useQuery(paymentOptionQueries.listOptions())
  if (isError && options === undefined) {
    return (
      <FailedState
        message="Failed to load payment options. Please try again later."
        onRetry={refetch}
        pending={isFetching}
      />
    )
  }
  if (options === undefined) {
    return (
      <div className="grid gap-3">
        {PLACES.map((place) => (
          <OptionPlaceholder key={place} />
        ))}
      </div>
    )
  }
  if (options.length === 0) {
    return (
      <EmptyState
        title="No payment method available"
        text="Deposits are possible when the operator offers a payment method."
      />
    )
  }
  return (
    <div className="grid gap-3">
      {options.map((option) => (
        <ChoiceCard
          key={option.id}
          icon={<OptionIcon option={option} />}
          title={option.payOption}
          text={
            <>
              {option.payOption === 'Crypto Wallet' ? `Network: ${option.bank}` : option.bank}
              <span className="block break-all font-mono">{option.accountNumber}</span>
              <DepositTerms method={option.payOption} />
            </>
          }
          onChoose={() => onChoose(option.id)}
        />
      ))}
      <p className="text-12 text-muted">
        You can deposit with any of these methods. Withdrawals are paid to a bank account only.
      </p>
    </div>
  )
}

/** The placeholder of a payment option. It has the form of a `ChoiceCard`. */
function OptionPlaceholder() {
  return (
    <div className="flex items-center gap-4 rounded-card border border-line bg-surface p-4">
      <Skeleton className="size-10 shrink-0 rounded-card" />
      <span className="grid flex-1">
        <span className="flex h-6.5 items-center">
          <Skeleton className="h-4 w-32" />
        </span>
        <TwoLinePlaceholder widths={['w-44', 'w-28']} />
        <span className="mt-2 flex h-4 items-center">
          <Skeleton className="h-3 w-32" />
        </span>
        <span className="mt-0.5 flex h-4 items-center max-sm:h-8">
          <Skeleton className="h-3 w-48" />
        </span>
      </span>
    </div>
  )
}

/** States the fee and the minimum of deposits, and how long deposits by this method have taken. */
function DepositTerms({ method }: { method: PaymentOption['payOption'] }) {
  const { data: settings, isPending: isLoadingSettings } = useQuery(settingsQueries.readPublic())
  const { data: times, isPending: isLoadingTimes } = useQuery(transactionQueries.readReviewTimes())
  const measured = times?.depositMethods.find((each) => each.method === method)
  return (
    <span className="mt-1 grid gap-0.5 text-12 text-ink">
      <span className="flex min-h-4 flex-wrap items-center gap-x-4">
        {isLoadingSettings && <Skeleton className="h-3 w-32" />}
        {settings !== undefined && (
          <>
            <span>{describeFee(settings.depositFee)}</span>
            <span>Minimum {formatMoneyBriefly(toMinor(settings.minDeposit))}</span>
          </>
        )}
      </span>
      <span className="min-h-4 max-sm:min-h-8">
        {isLoadingTimes && <Skeleton className="h-3 w-48" />}
        {measured !== undefined
          ? `Of ${measured.count} deposits, ${describeReviewTime(measured)}`
          : times !== undefined && 'Too few deposits in the last 30 days to state a usual time'}
      </span>
    </span>
  )
}

function Submitted({ transaction }: { transaction: Transaction }) {
  return (
    <DoneState
      title={`Deposit of ${formatMoney(toMinor(transaction.amount))} is waiting for review`}
      badge={<StatusBadge transaction={transaction} viewer="investor" />}
      action={
        <ButtonLink to="/manage/investor/transactions" look="primary">
          View Transactions
        </ButtonLink>
      }
    >
      <Stepper steps={REVIEW} step={2} hasEnd />
      <p>
        Your deposit is being processed. A confirmation email will follow when a person has checked
        your payment proof. Only then is {formatMoney(toMinor(transaction.net))} added to your{' '}
        {WALLET_LABELS.balance}. Until a decision is made, you can cancel it.{' '}
        <RequestLink id={transaction.id} />
      </p>
      <ReviewTime of={{ type: 'deposit', method: transaction.method }} />
      <p>
        Reference <span className="tabular text-ink">{transaction.reference}</span>
      </p>
    </DoneState>
  )
}

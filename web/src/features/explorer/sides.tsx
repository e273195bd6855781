import { formatAssetAmount, formatMinorOf, getAsset } from '../../shared/money/asset-text.ts'
import { toMinor } from '../../shared/money/money.ts'
import { useAmountsHidden } from '../../shared/preferences/hidden-amounts.ts'
import { MoneyText } from '../../shared/ui/money-text.tsx'

type LedgerAmountProps = {
  amount: number
  /** The code of the account, or the asset. */
  code: string
  signed?: boolean
  className?: string | undefined
}

/**
 * Shows an amount with the asset that the account code contains. If the code contains no asset,
 * uses the currency of the site.
 */
export function LedgerAmount({ amount, code, signed = false, className }: LedgerAmountProps) {
  const isHidden = useAmountsHidden()
  const text = formatAssetAmount(amount, code)
  if (text === null) return <MoneyText minor={toMinor(amount)} {...{ signed, className }} />
  const shownSign = signed && amount > 0 ? '+' : ''
  return <span className={className}>{isHidden ? 'Amount hidden' : `${shownSign}${text}`}</span>
}

type LedgerMinorProps = { minor: bigint; code: string; className?: string }

/**
 * Shows minor units in the asset that the account code contains. If the code contains no asset,
 * uses the currency of the site.
 */
export function LedgerMinor({ minor, code, className }: LedgerMinorProps) {
  const isHidden = useAmountsHidden()
  if (getAsset(code) === null) return <MoneyText minor={minor} className={className} />
  return (
    <span className={className}>{isHidden ? 'Amount hidden' : formatMinorOf(code, minor)}</span>
  )
}

/** Shows a balance in the column of debits if the balance is a debit, which means below zero. */
export function Debit({ balance, code = '' }: { balance: number; code?: string | undefined }) {
  return balance < 0 ? <LedgerAmount amount={-balance} code={code} /> : null
}

/** Shows a balance in the column of credits if the balance is not below zero. */
export function Credit({ balance, code = '' }: { balance: number; code?: string | undefined }) {
  return balance < 0 ? null : <LedgerAmount amount={balance} code={code} />
}

/** Names the side of a balance. A debit is below zero. */
export function getSide(balance: number): string {
  if (balance === 0) return 'Neither debit nor credit'
  return balance < 0 ? 'Debit' : 'Credit'
}

/** Shows an amount with its side in place of its sign, such as `$250.00 Debit`. */
export function BalanceWithSide({
  balance,
  code,
  className,
}: {
  balance: number
  code: string
  className?: string
}) {
  return (
    <span className="whitespace-nowrap">
      <LedgerAmount amount={Math.abs(balance)} code={code} className={className} />
      {balance !== 0 && <span className="text-12 text-muted"> {getSide(balance)}</span>}
    </span>
  )
}

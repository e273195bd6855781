import { getHiddenMoney, getMoneyPrefix } from '../money/currency.ts'
import { formatMoney, type Minor, splitMoney } from '../money/money.ts'
import { useAmountsHidden } from '../preferences/hidden-amounts.ts'
import { joinClasses } from './join-classes.ts'

type MoneyTextProps = {
  minor: Minor
  /** Shows `+` before a positive amount. */
  signed?: boolean
  /** A large figure with lighter cents. */
  large?: boolean
  className?: string | undefined
}

/** Renders every amount on a screen, so that one toggle hides all amounts. */
export function MoneyText({ minor, signed = false, large = false, className }: MoneyTextProps) {
  const isHidden = useAmountsHidden()
  if (isHidden) {
    return (
      <span className={joinClasses('tabular whitespace-nowrap', className)}>
        <span aria-hidden="true">{getHiddenMoney()}</span>
        <span className="sr-only">Amount hidden</span>
      </span>
    )
  }
  const { sign, whole, cents } = splitMoney(minor)
  const shownSign = sign === '-' ? '\u2212' : signed && minor > 0n ? '+' : ''
  return (
    <span className={joinClasses('tabular whitespace-nowrap', className)}>
      {shownSign}
      {getMoneyPrefix()}
      {whole}
      <span className={large ? 'text-muted' : undefined}>.{cents}</span>
    </span>
  )
}

/** An amount inside a sentence. The toggle that hides all amounts also hides this amount. */
export function InlineMoney({ minor }: { minor: Minor }) {
  return useAmountsHidden() ? (
    getHiddenMoney()
  ) : (
    <span className="tabular">{formatMoney(minor)}</span>
  )
}

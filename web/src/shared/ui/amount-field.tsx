import { type Minor, parseMoney } from '../money/money.ts'
import { Field } from './field.tsx'
import { MoneyInput } from './money-input.tsx'

type MoneyFieldProps = {
  label?: string
  hint?: string
  value: string
  onChange: (value: string) => void
  error?: string | null | undefined
}

/** An input for an amount. The caller checks the amount and passes the error. */
export function MoneyField({ label = 'Amount', hint, value, onChange, error }: MoneyFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <MoneyInput
          {...ids}
          name="amount"
          required
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

type AmountFieldProps = MoneyFieldProps & {
  /** True after a submit. An invalid amount is then shown as an error. */
  isChecked: boolean
}

/** An input for an amount above zero. */
export function AmountField({ isChecked, error, ...props }: AmountFieldProps) {
  const isWrong = isChecked && parseTypedAmount(props.value) === null
  return (
    <MoneyField {...props} error={isWrong ? 'Enter an amount with at most two decimals' : error} />
  )
}

/** Returns null if the amount is invalid, or is zero or less. */
export function parseTypedAmount(text: string): Minor | null {
  const minor = parseMoney(text)
  return minor !== null && minor > 0n ? minor : null
}

import { type Minor, parseMoney } from '../money/money.ts'
import { Field } from './field.tsx'
import { MoneyInput } from './inputs.tsx'

type AmountFieldProps = {
  label?: string
  value: string
  onChange: (value: string) => void
  /** Asked for by now: what is no amount is an error. */
  isChecked: boolean
  error?: string | undefined
}

/** An amount above zero, typed. */
export function AmountField(props: AmountFieldProps) {
  const { label = 'Amount', value, onChange, isChecked, error } = props
  const isWrong = isChecked && typedAmount(value) === null
  return (
    <Field label={label} error={isWrong ? 'Enter an amount with at most two decimals' : error}>
      {(ids) => (
        <MoneyInput {...ids} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}

/** Null for what is no amount, and for nothing or less. */
export function typedAmount(text: string): Minor | null {
  const minor = parseMoney(text)
  return minor !== null && minor > 0n ? minor : null
}

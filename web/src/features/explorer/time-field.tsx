import { Field } from '../../shared/ui/field.tsx'
import { Input } from '../../shared/ui/inputs.tsx'
import { useTypedText } from '../../shared/ui/typed-text.ts'

/** An input for a local time. A time is passed on after a pause in typing. */
export function TimeField({
  label,
  hint,
  className,
  value,
  onChange,
}: {
  label: string
  hint: string
  className?: string | undefined
  value: string
  onChange: (value: string) => void
}) {
  // The first digit of a year already makes a complete time, such as 0002-11-01T14:30.
  const [typed, setTyped] = useTypedText(value, onChange)
  return (
    <Field label={label} hint={hint} className={className}>
      {(ids) => (
        <Input
          {...ids}
          type="datetime-local"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
    </Field>
  )
}

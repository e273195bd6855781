import { useQuery } from '@tanstack/react-query'

import { Button } from '../../shared/ui/button.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Field } from '../../shared/ui/field.tsx'
import { Input, Select } from '../../shared/ui/inputs.tsx'
import { ErrorSummary } from './error-summary.tsx'
import type { StepProps } from './personal-step.tsx'
import { registrationQueries } from './queries.ts'

type AddressProps = StepProps & {
  onPrevious: () => void
  onSubmit: () => void
  isPending: boolean
}

const TEXT_FIELDS = [
  { name: 'firstAddress', label: 'Address 1', autoComplete: 'address-line1', optional: false },
  { name: 'secondAddress', label: 'Address 2', autoComplete: 'address-line2', optional: true },
  { name: 'townCity', label: 'Town or city', autoComplete: 'address-level2', optional: true },
] as const

export function AddressStep(props: AddressProps) {
  const { form, onChange, errors, failure, onPrevious, onSubmit, isPending } = props
  return (
    <form
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      <h1 className="font-semibold font-serif text-28">Address Information</h1>
      <ErrorSummary failure={failure} errors={errors} />
      <CountryField
        value={form.country}
        onChange={(country) => onChange({ country })}
        error={errors.country}
      />
      {TEXT_FIELDS.map(({ name, label, autoComplete, optional }) => (
        <Field key={name} label={label} optional={optional} error={errors[name]}>
          {(ids) => (
            <Input
              {...ids}
              name={name}
              autoComplete={autoComplete}
              required={!optional}
              maxLength={name === 'townCity' ? 120 : 200}
              value={form[name]}
              onChange={(event) => onChange({ [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <div className="flex justify-between gap-3 pt-2">
        <Button onClick={onPrevious} disabled={isPending}>
          Previous
        </Button>
        <Button type="submit" look="primary" pending={isPending}>
          Create Account
        </Button>
      </div>
    </form>
  )
}

function CountryField({
  value,
  onChange,
  error,
}: {
  value: string
  onChange: (country: string) => void
  error: string | undefined
}) {
  const { data, isError, refetch, isFetching } = useQuery(registrationQueries.listCountries())
  if (isError && data === undefined) {
    return (
      <FailedState
        message="The list of countries could not be loaded."
        onRetry={refetch}
        pending={isFetching}
      />
    )
  }
  return (
    <Field label="Country" error={error}>
      {(ids) => (
        <Select
          {...ids}
          name="country"
          autoComplete="country"
          required
          disabled={data === undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{data === undefined ? 'Loading…' : 'Choose a country'}</option>
          {data?.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

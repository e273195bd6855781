import type { ReactNode } from 'react'
import { type FieldPathByValue, useFormContext } from 'react-hook-form'

import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Field, FieldError } from '../../shared/ui/field.tsx'
import { Checkbox, Input, MoneyInput } from '../../shared/ui/inputs.tsx'
import type { SettingsValues } from './settings-values.ts'

/** By leaf name, as in the server's answer. */
export type SettingsErrors = Readonly<Record<string, string>>

export function SettingsGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <CardHeader title={title} />
      <div className="grid gap-5 p-5 sm:grid-cols-2">{children}</div>
    </Card>
  )
}

type TextPath = FieldPathByValue<SettingsValues, string>
type SwitchPath = FieldPathByValue<SettingsValues, boolean>

type TextSettingProps = {
  name: TextPath
  label: string
  errors: SettingsErrors
  hint?: ReactNode
  kind?: 'text' | 'email' | 'url' | 'tel' | 'whole' | 'percent' | 'money'
  optional?: boolean
  disabled?: boolean
  wide?: boolean
}

export function TextSetting(props: TextSettingProps) {
  const { name, label, errors, hint, kind = 'text', optional, disabled, wide } = props
  const { register } = useFormContext<SettingsValues>()
  const isTyped = kind === 'text' || kind === 'email' || kind === 'url' || kind === 'tel'
  return (
    <Field
      label={label}
      error={errors[leafOf(name)]}
      optional={optional}
      className={wide === true ? 'sm:col-span-2' : undefined}
      {...(hint === undefined ? {} : { hint })}
    >
      {(ids) =>
        kind === 'money' ? (
          <MoneyInput {...ids} {...register(name)} />
        ) : (
          // `disabled` is set on the element only: react-hook-form drops the value of a field that it disables.
          <Input
            {...ids}
            type={isTyped ? kind : 'text'}
            inputMode={kind === 'whole' ? 'numeric' : kind === 'percent' ? 'decimal' : undefined}
            disabled={disabled}
            {...register(name)}
          />
        )
      }
    </Field>
  )
}

export function SwitchSetting({
  name,
  label,
  hint,
  errors,
  disabled,
}: {
  name: SwitchPath
  label: string
  hint?: ReactNode
  errors: SettingsErrors
  disabled?: boolean
}) {
  const { register } = useFormContext<SettingsValues>()
  const error = errors[leafOf(name)]
  return (
    <div className="grid content-start gap-1 sm:col-span-2">
      <Checkbox
        label={
          <>
            <span className="font-medium">{label}</span>
            {hint !== undefined && <span className="block text-12 text-muted">{hint}</span>}
          </>
        }
        disabled={disabled}
        className={disabled === true ? 'opacity-60' : undefined}
        {...register(name)}
      />
      {error !== undefined && <FieldError>{error}</FieldError>}
    </div>
  )
}

function leafOf(path: string): string {
  return path.split('.').at(-1) ?? path
}

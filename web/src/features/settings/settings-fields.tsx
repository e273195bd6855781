import { type Group, type Setting, settings } from '@cairn/gateway-contracts'
import { type ReactNode, useState } from 'react'
import { type FieldPathByValue, useFormContext } from 'react-hook-form'

import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Field, FieldError } from '../../shared/ui/field.tsx'
import { Checkbox, Input, Select } from '../../shared/ui/inputs.tsx'
import { MoneyInput } from '../../shared/ui/money-input.tsx'
import { describeSettingPath, type SettingsTab, type SettingsValues } from './settings-values.ts'

/**
 * The error texts of the settings. The key is the last part of the setting's path, as in the
 * server's answer.
 */
export type SettingsErrors = Readonly<Record<string, string>>

export function SettingsGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <CardHeader title={title} />
      <div className="grid gap-5 p-5 sm:grid-cols-2">{children}</div>
    </Card>
  )
}

/**
 * Shows the settings of a section in the order of their descriptors. Then shows the children of the
 * section.
 */
export function SettingsSection({
  tab,
  title,
  errors,
  isDisabled = () => false,
  children,
}: {
  tab: SettingsTab
  title: string
  errors: SettingsErrors
  isDisabled?: (name: string) => boolean
  children?: ReactNode
}) {
  const shown = Object.entries(settings[tab] as Group).filter(
    ([, { section, control }]) => section === title && control !== 'custom',
  )
  return (
    <SettingsGroup title={title}>
      {shown.map(([name, setting]) => (
        <SettingField
          key={name}
          path={`${tab}.${name}`}
          setting={setting}
          disabled={isDisabled(name)}
          errors={errors}
        />
      ))}
      {children}
    </SettingsGroup>
  )
}

type SettingFieldProps = {
  path: string
  setting: Setting
  disabled: boolean
  errors: SettingsErrors
}

function SettingField({ path, setting, disabled, errors }: SettingFieldProps) {
  const { hint, control, isOptional = false, isWide = false } = setting
  switch (control) {
    case 'custom':
      return null
    case 'select':
      return <SelectSetting name={path as TextPath} setting={setting} errors={errors} />
    case 'switch':
      return (
        <SwitchSetting
          // The cast is safe because a switch has a boolean value.
          name={path as SwitchPath}
          hint={hint}
          disabled={disabled}
          errors={errors}
        />
      )
    default:
      return (
        <TextSetting
          // The cast is safe because all other controls have a text value.
          name={path as TextPath}
          hint={hint}
          kind={control}
          optional={isOptional}
          wide={isWide}
          disabled={disabled}
          errors={errors}
        />
      )
  }
}

function SelectSetting({
  name,
  setting,
  errors,
}: {
  name: TextPath
  setting: Setting
  errors: SettingsErrors
}) {
  const { register } = useFormContext<SettingsValues>()
  const [options] = useState(() => setting.options?.() ?? [])
  return (
    <Field
      label={setting.label}
      error={errors[getLeafName(name)]}
      className={setting.isWide === true ? 'sm:col-span-2' : undefined}
      {...(setting.hint === undefined ? {} : { hint: setting.hint })}
    >
      {(ids) => (
        <Select {...ids} {...register(name)}>
          {options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

type TextPath = FieldPathByValue<SettingsValues, string>
type SwitchPath = FieldPathByValue<SettingsValues, boolean>

type TextSettingProps = {
  name: TextPath
  errors: SettingsErrors
  hint?: ReactNode
  kind?: 'text' | 'email' | 'url' | 'tel' | 'whole' | 'percent' | 'money'
  optional?: boolean
  disabled?: boolean
  wide?: boolean
}

export function TextSetting(props: TextSettingProps) {
  const { name, errors, hint, kind = 'text', optional, disabled, wide } = props
  const { register } = useFormContext<SettingsValues>()
  const isTyped = kind === 'text' || kind === 'email' || kind === 'url' || kind === 'tel'
  return (
    <Field
      label={describeSettingPath(name)}
      error={errors[getLeafName(name)]}
      optional={optional}
      className={wide === true ? 'sm:col-span-2' : undefined}
      {...(hint === undefined ? {} : { hint })}
    >
      {(ids) =>
        kind === 'money' ? (
          <MoneyInput {...ids} {...register(name)} />
        ) : (
          // `register` does not get `disabled`, because react-hook-form drops the value of a field
          // that it disables.
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
  hint,
  errors,
  disabled,
}: {
  name: SwitchPath
  hint?: ReactNode
  errors: SettingsErrors
  disabled?: boolean
}) {
  const { register } = useFormContext<SettingsValues>()
  const error = errors[getLeafName(name)]
  return (
    <div className="grid content-start gap-1 sm:col-span-2">
      <Checkbox
        label={
          <>
            <span className="font-medium">{describeSettingPath(name)}</span>
            {hint !== undefined && (
              <span className="block max-w-[64ch] text-12 text-muted">{hint}</span>
            )}
          </>
        }
        disabled={disabled}
        className={disabled === true ? 'text-muted' : undefined}
        {...register(name)}
      />
      {error !== undefined && <FieldError>{error}</FieldError>}
    </div>
  )
}

function getLeafName(path: string): string {
  return path.split('.').at(-1) ?? path
}

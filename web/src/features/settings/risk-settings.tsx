import { RISK_TEXT_CHARACTERS_MAX } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Controller, useFormContext } from 'react-hook-form'

import { Button } from '../../shared/ui/button.tsx'
import { Field, FieldError } from '../../shared/ui/field.tsx'
import { Select, Textarea } from '../../shared/ui/inputs.tsx'
import { adminSettingsQueries } from './admin-queries.ts'
import { type SettingsErrors, SettingsGroup, SwitchSetting } from './settings-fields.tsx'
import { describeSettingPath, type SettingsValues } from './settings-values.ts'

type CountryText = SettingsValues['general']['riskTexts'][number]

/** Edits the risk warnings of the public pages and of the investment form. */
export function RiskSettings({ errors }: { errors: SettingsErrors }) {
  const { register, control } = useFormContext<SettingsValues>()
  return (
    <SettingsGroup title="Risk warning">
      <SwitchSetting
        name="general.riskBanner.isShown"
        hint="Always shown on the risk page and in the investment form."
        errors={errors}
      />
      <Field
        label={describeSettingPath('general.riskBanner.text')}
        hint="For countries without a text of their own."
        error={errors.text}
        className="sm:col-span-2"
      >
        {(ids) => <Textarea {...ids} rows={3} {...register('general.riskBanner.text')} />}
      </Field>
      <Controller
        control={control}
        name="general.riskTexts"
        render={({ field }) => (
          <CountryTexts texts={field.value} onChange={field.onChange} error={errors.riskTexts} />
        )}
      />
    </SettingsGroup>
  )
}

type CountryTextsProps = {
  texts: readonly CountryText[]
  onChange: (texts: CountryText[]) => void
  error: string | undefined
}

function CountryTexts({ texts, onChange, error }: CountryTextsProps) {
  const countries = useQuery(adminSettingsQueries.listCountries()).data ?? []
  const [chosen, setChosen] = useState('')
  const getCountryName = (code: string) =>
    countries.find((each) => each.code === code)?.name ?? code
  const free = countries.filter(({ code }) => texts.every(({ country }) => country !== code))
  return (
    <div className="grid gap-5 sm:col-span-2">
      {texts.map(({ country, text }) => (
        <div key={country} className="grid gap-2">
          <Field label={`Text for ${getCountryName(country)}`}>
            {(ids) => (
              <Textarea
                {...ids}
                rows={3}
                maxLength={RISK_TEXT_CHARACTERS_MAX}
                value={text}
                onChange={(event) =>
                  onChange(
                    texts.map((each) =>
                      each.country === country ? { country, text: event.target.value } : each,
                    ),
                  )
                }
              />
            )}
          </Field>
          <Button
            size="small"
            className="w-fit"
            aria-label={`Remove the text for ${getCountryName(country)}`}
            onClick={() => onChange(texts.filter((each) => each.country !== country))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Field
        label="Add a text for a country"
        hint="Investors see the text for the country in their profile; visitors choose a country on the risk page."
      >
        {(ids) => (
          <span className="flex gap-2">
            <span className="block flex-1">
              <Select {...ids} value={chosen} onChange={(event) => setChosen(event.target.value)}>
                <option value="">Choose</option>
                {free.map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </Select>
            </span>
            <Button
              className="h-11"
              onClick={() => {
                if (chosen === '') return
                onChange([...texts, { country: chosen, text: '' }])
                setChosen('')
              }}
            >
              Add
            </Button>
          </span>
        )}
      </Field>
      {error !== undefined && <FieldError>{error}</FieldError>}
    </div>
  )
}

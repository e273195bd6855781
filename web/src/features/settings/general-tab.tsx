import { useState } from 'react'
import { useFormContext } from 'react-hook-form'

import { Field } from '../../shared/ui/field.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { RiskSettings } from './risk-settings.tsx'
import {
  type SettingsErrors,
  SettingsGroup,
  SwitchSetting,
  TextSetting,
} from './settings-fields.tsx'
import type { SettingsValues } from './settings-values.ts'

export function GeneralTab({ errors }: { errors: SettingsErrors }) {
  const { register } = useFormContext<SettingsValues>()
  const [currencies] = useState(() => Intl.supportedValuesOf('currency'))
  const [zones] = useState(() => ['UTC', ...Intl.supportedValuesOf('timeZone')])
  return (
    <div className="grid gap-6">
      <SettingsGroup title="The site">
        <TextSetting name="general.siteName" label="Site name" errors={errors} />
        <TextSetting
          name="general.siteUrl"
          label="Site URL"
          kind="url"
          hint="Referral links begin with it. Links in e-mails begin with PUBLIC_URL, set on the server."
          errors={errors}
        />
        <Field
          label="Default currency"
          hint="Cannot be changed after the first money movement."
          error={errors.defaultCurrency}
        >
          {(ids) => (
            <Select {...ids} {...register('general.defaultCurrency')}>
              {currencies.map((code) => (
                <option key={code}>{code}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Timezone" error={errors.timezone}>
          {(ids) => (
            <Select {...ids} {...register('general.timezone')}>
              {[...new Set(zones)].map((zone) => (
                <option key={zone}>{zone}</option>
              ))}
            </Select>
          )}
        </Field>
        <SwitchSetting
          name="general.maintenanceMode"
          label="Maintenance mode"
          hint="Only administrators can log in. Profit credits and maturities continue."
          errors={errors}
        />
        <SwitchSetting
          name="general.translationWidget"
          label="Offer a third-party translation of the public pages"
          errors={errors}
        />
      </SettingsGroup>
      <SettingsGroup title="The operator">
        <TextSetting
          name="general.legalName"
          label="Legal name"
          hint="Shown in the footer; hidden when empty."
          optional
          errors={errors}
        />
        <TextSetting
          name="general.contact.phone"
          label="Phone"
          kind="tel"
          optional
          errors={errors}
        />
        <TextSetting
          name="general.contact.email"
          label="Contact e-mail"
          kind="email"
          optional
          errors={errors}
        />
        <TextSetting name="general.contact.address" label="Address" optional errors={errors} />
      </SettingsGroup>
      <RiskSettings errors={errors} />
    </div>
  )
}

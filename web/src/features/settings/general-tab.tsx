import { RiskSettings } from './risk-settings.tsx'
import { type SettingsErrors, SettingsSection, TextSetting } from './settings-fields.tsx'

export function GeneralTab({ errors }: { errors: SettingsErrors }) {
  return (
    <div className="grid gap-6">
      <SettingsSection tab="general" title="The site" errors={errors} />
      <SettingsSection tab="general" title="The operator" errors={errors}>
        <TextSetting name="general.contact.phone" kind="tel" optional errors={errors} />
        <TextSetting name="general.contact.email" kind="email" optional errors={errors} />
        <TextSetting name="general.contact.address" optional errors={errors} />
      </SettingsSection>
      <RiskSettings errors={errors} />
    </div>
  )
}

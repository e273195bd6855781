import { Email, settings } from '@cairn/gateway-contracts'
import { Controller, useFormContext } from 'react-hook-form'

import { TokenField } from '../../shared/ui/token-field.tsx'
import { type SettingsErrors, SettingsGroup, SettingsSection } from './settings-fields.tsx'
import type { SettingsValues } from './settings-values.ts'
import { TestMail } from './test-mail.tsx'

export function NotificationsTab({ errors }: { errors: SettingsErrors }) {
  const { watch, control } = useFormContext<SettingsValues>()
  const isOff = !watch('notifications.emailNotifications')
  return (
    <div className="grid gap-6">
      <SettingsSection
        tab="notifications"
        title="Email to administrators"
        isDisabled={(name) => isOff && name !== 'emailNotifications'}
        errors={errors}
      >
        <TestMail />
      </SettingsSection>
      <SettingsGroup title="Auditors">
        <Controller
          control={control}
          name="notifications.auditorEmails"
          render={({ field }) => (
            <TokenField
              label={settings.notifications.auditorEmails.label}
              hint={settings.notifications.auditorEmails.hint ?? ''}
              empty="No auditors."
              tokens={field.value}
              onChange={field.onChange}
              check={checkEmail}
              error={errors.auditorEmails}
            />
          )}
        />
      </SettingsGroup>
    </div>
  )
}

function checkEmail(text: string): { token: string } | { error: string } {
  const parsed = Email.safeParse(text)
  return parsed.success ? { token: parsed.data } : { error: 'Invalid email address' }
}

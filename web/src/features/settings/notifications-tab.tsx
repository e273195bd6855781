import { Email } from '@cairn/gateway-contracts'
import { Controller, useFormContext } from 'react-hook-form'

import { TokenField } from '../../shared/ui/token-field.tsx'
import {
  type SettingsErrors,
  SettingsGroup,
  SwitchSetting,
  TextSetting,
} from './settings-fields.tsx'
import type { SettingsValues } from './settings-values.ts'
import { TestMail } from './test-mail.tsx'

export function NotificationsTab({ errors }: { errors: SettingsErrors }) {
  const { watch, control } = useFormContext<SettingsValues>()
  const isOff = !watch('notifications.emailNotifications')
  return (
    <div className="grid gap-6">
      <SettingsGroup title="E-mail to administrators">
        <SwitchSetting
          name="notifications.emailNotifications"
          label="E-mail notifications"
          hint="Mails to investors about their own money are always sent."
          errors={errors}
        />
        <TextSetting
          name="notifications.adminEmail"
          label="Admin e-mail"
          kind="email"
          optional
          disabled={isOff}
          hint="Empty: every active administrator."
          wide
          errors={errors}
        />
        <SwitchSetting
          name="notifications.newUserNotification"
          label="A new user has registered"
          disabled={isOff}
          errors={errors}
        />
        <SwitchSetting
          name="notifications.depositNotification"
          label="A deposit waits for approval"
          disabled={isOff}
          errors={errors}
        />
        <SwitchSetting
          name="notifications.withdrawalNotification"
          label="A withdrawal waits for approval"
          disabled={isOff}
          errors={errors}
        />
        <TestMail />
      </SettingsGroup>
      <SettingsGroup title="Auditors">
        <Controller
          control={control}
          name="notifications.auditorEmails"
          render={({ field }) => (
            <TokenField
              label="E-mail addresses of auditors"
              hint="Each month end they receive the latest checkpoint of the log."
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

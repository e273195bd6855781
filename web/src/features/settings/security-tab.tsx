import { AllowListEntry } from '@cairn/gateway-contracts'
import { Controller, useFormContext } from 'react-hook-form'

import { Notice } from '../../shared/ui/notice.tsx'
import { TokenField } from '../../shared/ui/token-field.tsx'
import {
  type SettingsErrors,
  SettingsGroup,
  SwitchSetting,
  TextSetting,
} from './settings-fields.tsx'
import type { SettingsValues } from './settings-values.ts'

type SecurityTabProps = { errors: SettingsErrors; callerAddress: string }

export function SecurityTab({ errors, callerAddress }: SecurityTabProps) {
  const { control } = useFormContext<SettingsValues>()
  return (
    <div className="grid gap-6">
      <SettingsGroup title="Getting in">
        <SwitchSetting
          name="security.twoFactorAuth"
          label="Require two-factor authentication of administrators"
          hint="Whoever has none sets it up at the next login."
          errors={errors}
        />
        <TextSetting
          name="security.stepUpMinutes"
          label="Minutes until money needs a new code"
          kind="whole"
          hint="1 to 480. Whoever has a second factor is asked for it again, for withdrawals too."
          errors={errors}
        />
        <TextSetting
          name="security.loginAttempts"
          label="Login attempts"
          kind="whole"
          hint="1 to 10 failures before each further try has to wait."
          errors={errors}
        />
        <TextSetting
          name="security.passwordExpiry"
          label="Password expiry in days"
          kind="whole"
          hint="30 to 365. Accounts with a second factor are exempt."
          errors={errors}
        />
        <Notice tone="info" className="sm:col-span-2">
          NIST SP 800-63B advises against asking for a new password after a time: people then choose
          weaker ones. A second factor protects better.
        </Notice>
      </SettingsGroup>
      <SettingsGroup title="IP whitelist">
        <Controller
          control={control}
          name="security.ipWhitelist"
          render={({ field }) => (
            <TokenField
              label="Addresses allowed into the admin area"
              hint={`Empty means everywhere. An address or a range like 10.0.0.0/8. Your address is ${callerAddress}.`}
              empty="Every address is allowed."
              tokens={field.value}
              onChange={field.onChange}
              check={checkAddress}
              error={errors.ipWhitelist}
            />
          )}
        />
      </SettingsGroup>
      <SettingsGroup title="People and money">
        <SwitchSetting
          name="security.autoApproveUsers"
          label="Approve new users by themselves once their e-mail is confirmed"
          errors={errors}
        />
        <TextSetting
          name="security.approvalThreshold"
          label="Two administrators from this amount on"
          kind="money"
          hint="Empty: one is enough. With two active, raising or clearing it takes npm run admin on the server."
          optional
          errors={errors}
        />
        <TextSetting
          name="security.bankCoolingHours"
          label="Hours before a new bank account can be paid to"
          kind="whole"
          hint="0 to 72"
          errors={errors}
        />
        <TextSetting
          name="security.credentialHoldHours"
          label="Hours without payouts after a password or e-mail change"
          kind="whole"
          hint="0 to 72"
          errors={errors}
        />
      </SettingsGroup>
    </div>
  )
}

function checkAddress(text: string): { token: string } | { error: string } {
  const parsed = AllowListEntry.safeParse(text)
  if (parsed.success) return { token: parsed.data }
  return { error: parsed.error.issues[0]?.message ?? 'Enter an IP address' }
}

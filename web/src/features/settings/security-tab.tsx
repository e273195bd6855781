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
      <SettingsGroup title="Access">
        <SwitchSetting
          name="security.twoFactorAuth"
          label="Require two-factor authentication of administrators"
          hint="Administrators without it set it up at the next login."
          errors={errors}
        />
        <TextSetting
          name="security.stepUpMinutes"
          label="Step-up interval (minutes)"
          kind="whole"
          hint="1 to 480. After this time, money actions and withdrawals ask for the second factor again."
          errors={errors}
        />
        <TextSetting
          name="security.loginAttempts"
          label="Login attempts"
          kind="whole"
          hint="1 to 10 failed attempts before further attempts are delayed."
          errors={errors}
        />
        <TextSetting
          name="security.passwordExpiry"
          label="Password expiry (days)"
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
              label="IP addresses allowed in the admin area"
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
      <SettingsGroup title="Users and money">
        <SwitchSetting
          name="security.autoApproveUsers"
          label="Approve new users automatically after e-mail confirmation"
          errors={errors}
        />
        <TextSetting
          name="security.approvalThreshold"
          label="Second approval from this amount"
          kind="money"
          hint="Empty: one is enough. With two active, raising or clearing it takes npm run admin on the server."
          optional
          errors={errors}
        />
        <TextSetting
          name="security.bankCoolingHours"
          label="Cooling time of new bank accounts (hours)"
          kind="whole"
          hint="0 to 72"
          errors={errors}
        />
        <TextSetting
          name="security.credentialHoldHours"
          label="Withdrawal pause after a credential change (hours)"
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

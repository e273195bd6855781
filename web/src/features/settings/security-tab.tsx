import { AllowListEntry, settings } from '@cairn/gateway-contracts'
import { Controller, useFormContext } from 'react-hook-form'

import { Notice } from '../../shared/ui/notice.tsx'
import { TokenField } from '../../shared/ui/token-field.tsx'
import { type SettingsErrors, SettingsGroup, SettingsSection } from './settings-fields.tsx'
import type { SettingsValues } from './settings-values.ts'

type SecurityTabProps = { errors: SettingsErrors; callerAddress: string }

export function SecurityTab({ errors, callerAddress }: SecurityTabProps) {
  const { control } = useFormContext<SettingsValues>()
  return (
    <div className="grid gap-6">
      <SettingsSection tab="security" title="Access" errors={errors}>
        <Notice tone="info" className="sm:col-span-2">
          <p className="max-w-[64ch]">
            NIST SP 800-63B advises against password expiry, because people then choose weaker
            passwords. A second factor protects better.
          </p>
        </Notice>
      </SettingsSection>
      <SettingsGroup title="IP whitelist">
        <Controller
          control={control}
          name="security.ipWhitelist"
          render={({ field }) => (
            <TokenField
              label={settings.security.ipWhitelist.label}
              hint={`Addresses such as yours, ${callerAddress}, or ranges such as 10.0.0.0/8; without an entry, administrators may log in from anywhere.`}
              empty="Every address is allowed."
              tokens={field.value}
              onChange={field.onChange}
              check={checkAddress}
              error={errors.ipWhitelist}
            />
          )}
        />
      </SettingsGroup>
      <SettingsSection tab="security" title="Users and money" errors={errors} />
    </div>
  )
}

function checkAddress(text: string): { token: string } | { error: string } {
  const parsed = AllowListEntry.safeParse(text)
  if (parsed.success) return { token: parsed.data }
  return { error: parsed.error.issues[0]?.message ?? 'Enter an IP address' }
}

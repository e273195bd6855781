import { PAYMENT_METHODS, type PaymentMethod } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { Controller, useFormContext } from 'react-hook-form'

import { FieldError } from '../../shared/ui/field.tsx'
import { Checkbox } from '../../shared/ui/inputs.tsx'
import { TokenField } from '../../shared/ui/token-field.tsx'
import { adminSettingsQueries } from './admin-queries.ts'
import {
  type SettingsErrors,
  SettingsGroup,
  SettingsSection,
  SwitchSetting,
} from './settings-fields.tsx'
import { describeSettingPath, type SettingsValues } from './settings-values.ts'

const METHOD_WORDS: Record<PaymentMethod, string> = {
  bank: 'Bank Transfer',
  card: 'Credit/Debit Card',
  crypto: 'Cryptocurrency',
  mobile: 'Mobile Wallet',
  paypal: 'PayPal',
  stripe: 'Stripe',
}

type PaymentTabProps = { errors: SettingsErrors; unconnected: readonly PaymentMethod[] }

export function PaymentTab({ errors, unconnected }: PaymentTabProps) {
  return (
    <div className="grid gap-6">
      <SettingsSection tab="payment" title="Fees, minimums and limits" errors={errors}>
        <p className="text-12 text-muted sm:col-span-2">
          Existing requests keep their quoted fee. Investors see the limits and the remaining
          amounts before a request.
        </p>
      </SettingsSection>
      <SettingsGroup title="Payment methods">
        <Methods unconnected={unconnected} error={errors.paymentMethods} />
      </SettingsGroup>
      <SettingsSection tab="payment" title="Investments" errors={errors} />
      <Referrals errors={errors} />
    </div>
  )
}

function Methods({
  unconnected,
  error,
}: {
  unconnected: readonly PaymentMethod[]
  error: string | undefined
}) {
  const { register } = useFormContext<SettingsValues>()
  return (
    <fieldset className="grid gap-1 sm:col-span-2 sm:grid-cols-2">
      <legend className="sr-only">Payment methods</legend>
      {PAYMENT_METHODS.map((method) => {
        const isUnconnected = unconnected.includes(method)
        return (
          <Checkbox
            key={method}
            label={
              <>
                {METHOD_WORDS[method]}
                {isUnconnected && <span className="text-muted"> (not connected)</span>}
              </>
            }
            value={method}
            disabled={isUnconnected}
            {...register('payment.paymentMethods')}
          />
        )
      })}
      {error !== undefined && <FieldError>{error}</FieldError>}
    </fieldset>
  )
}

function Referrals({ errors }: { errors: SettingsErrors }) {
  const { control } = useFormContext<SettingsValues>()
  const countries = useQuery(adminSettingsQueries.listCountries()).data ?? []
  const getCountryName = (code: string) =>
    countries.find((each) => each.code === code)?.name ?? code
  return (
    <SettingsGroup title="Referrals">
      <SwitchSetting name="payment.referral.enabled" errors={errors} />
      <Controller
        control={control}
        name="payment.referral.blockedCountries"
        render={({ field }) => (
          <TokenField
            label={describeSettingPath('payment.referral.blockedCountries')}
            hint="Users from these countries earn no bonus for their referrer."
            empty="None."
            tokens={field.value}
            onChange={field.onChange}
            options={countries.map(({ code, name }) => [code, name])}
            describeToken={getCountryName}
            error={errors.blockedCountries}
          />
        )}
      />
    </SettingsGroup>
  )
}

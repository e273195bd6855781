import { getPublicSettings, RECEIPT_BYTES_MAX, toAmount, toPercent } from '@cairn/gateway-contracts'
import type { Dependencies } from '../dependencies.ts'
import { type Route, route } from '../http/registry.ts'
import { CURRENCY, SITE_NAME } from './site.ts'

export function settingsRoutes(deps: Dependencies): readonly Route[] {
  return [
    route(getPublicSettings, { rate: 'read', owner: 'any', audit: null }, async () => {
      const { rules } = await deps.ledger.ask('rules', {})
      return {
        settings: {
          siteName: SITE_NAME,
          siteUrl: deps.publicUrl,
          legalName: null,
          contact: { phone: null, email: null, address: null },
          currency: CURRENCY,
          isDemo: deps.isDemo,
          mailUrl: deps.isDemo ? deps.mailUiUrl : null,
          minDeposit: toAmount(rules.minimumDepositMinor),
          minWithdrawal: toAmount(rules.minimumWithdrawalMinor),
          depositFee: toPercent(rules.depositFeePpm),
          withdrawalFee: toPercent(rules.withdrawalFeePpm),
          coverageMode: rules.coverageMode,
          isReferralEnabled: rules.isReferralEnabled,
          receiptBytesMax: RECEIPT_BYTES_MAX,
        },
      }
    }),
  ]
}

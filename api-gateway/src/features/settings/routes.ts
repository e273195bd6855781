import {
  CONNECTED_METHODS,
  getAdminSettings,
  getPublicSettings,
  PAYMENT_METHODS,
  RECEIPT_BYTES_MAX,
  type ResponseOf,
  saveAdminSettings,
  toAmount,
  toPercent,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { callerOf, type Exchange, type Route, route } from '../../platform/http/registry.ts'
import { listRiskTexts } from '../risk/index.ts'
import { toAdminSettings, toLimits } from './admin-view.ts'
import { saveSettings } from './save.ts'

export function createSettingsRoutes(deps: Dependencies): readonly Route[] {
  return [
    createPublicSettingsRoute(deps),
    route(getAdminSettings, { rate: 'read', owner: 'any', audit: null }, (_request, exchange) =>
      answerSettings(deps, exchange),
    ),
    route(
      saveAdminSettings,
      { rate: 'write', owner: 'any', audit: 'settings.save' },
      async ({ body }, exchange) => {
        const { ip, requestId, nowMs, note } = exchange
        const saving = { admin: callerOf(exchange), ip, requestId, nowMs }
        const changes = await saveSettings(deps, body, saving)
        deps.settings.forget()
        note({ subject: 'settings', changes })
        return await answerSettings(deps, exchange)
      },
    ),
  ]
}

async function answerSettings(
  deps: Pick<Dependencies, 'ledger' | 'settings'>,
  { ip }: Exchange,
): Promise<ResponseOf<typeof getAdminSettings>> {
  const [site, { rules }] = await Promise.all([deps.settings.read(), deps.ledger.ask('rules', {})])
  return {
    settings: toAdminSettings(site, rules, site.version),
    callerAddress: ip,
    unconnectedMethods: PAYMENT_METHODS.filter((method) => !CONNECTED_METHODS.includes(method)),
    updatedAt: site.updatedAt?.toISOString() ?? null,
  }
}

function createPublicSettingsRoute(
  deps: Pick<Dependencies, 'isDemo' | 'ledger' | 'mailUiUrl' | 'settings'>,
): Route {
  const options = { rate: 'read', owner: 'any', audit: null, isOpenInMaintenance: true } as const
  return route(getPublicSettings, options, async () => {
    const [{ general }, { rules }] = await Promise.all([
      deps.settings.read(),
      deps.ledger.ask('rules', {}),
    ])
    return {
      settings: {
        siteName: general.siteName,
        siteUrl: general.siteUrl,
        legalName: general.legalName,
        contact: general.contact,
        currency: general.defaultCurrency,
        timezone: general.timezone,
        isMaintenance: general.maintenanceMode,
        isTranslationOffered: general.translationWidget,
        riskBanner: general.riskBanner,
        riskTexts: listRiskTexts(general),
        isDemo: deps.isDemo,
        mailUrl: deps.isDemo ? deps.mailUiUrl : null,
        minDeposit: toAmount(rules.minimumDepositMinor),
        minWithdrawal: toAmount(rules.minimumWithdrawalMinor),
        depositFee: toPercent(rules.depositFeePpm),
        withdrawalFee: toPercent(rules.withdrawalFeePpm),
        ...toLimits(rules),
        coverageMode: rules.coverageMode,
        isReferralEnabled: rules.isReferralEnabled,
        receiptBytesMax: RECEIPT_BYTES_MAX,
      },
    }
  })
}

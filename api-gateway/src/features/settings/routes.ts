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
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import { isChangeNeeded, type Proposal, requestChange } from '../change-requests/index.ts'
import { countShownEndorsements } from '../endorsements/index.ts'
import { listRiskTexts } from '../risk/index.ts'
import { toAdminSettings, toLimits } from './admin-view.ts'
import { type Changes, saveSettings } from './save.ts'
import { createSettingsChange, SettingsPayload } from './settings-change.ts'

export function createSettingsRoutes(deps: Dependencies): readonly Route[] {
  const definition = createSettingsChange(deps)
  return [
    createPublicSettingsRoute(deps),
    declareRoute(
      getAdminSettings,
      { rate: 'read', owner: 'any', audit: null },
      (_request, exchange) => answerSettings(deps, exchange),
    ),
    declareRoute(
      saveAdminSettings,
      { rate: 'write', owner: 'any', audit: 'settings.save' },
      async ({ body }, exchange) => {
        const { ip, requestId, nowMs, note } = exchange
        const isDualControl = await isChangeNeeded(deps, definition)
        const saving = { admin: getCaller(exchange), ip, requestId, nowMs, isDualControl }
        const { changes, weakened } = await saveSettings(deps, body, saving)
        if (weakened.length > 0) {
          const proposal = toProposal(changes, { weakened, reason: body.reason ?? null })
          throw await requestChange(deps, exchange, { definition, proposal })
        }
        deps.settings.forget()
        note({ subject: 'settings', changes })
        return await answerSettings(deps, exchange)
      },
    ),
  ]
}

/**
 * Returns the content of a change request with all changed fields of the form, because the fields
 * are approved together.
 */
function toProposal(
  changes: Changes,
  { weakened, reason }: { weakened: readonly string[]; reason: string | null },
): Proposal<SettingsPayload> {
  const entries = Object.entries(changes).map(([path, { after }]) => [path, after])
  // A field is named by the last part of its path, as in all other failures of this endpoint.
  const fields = weakened.map((path) => path.split('.').at(-1) ?? path)
  const payload = SettingsPayload.parse({ values: Object.fromEntries(entries) })
  return { payload, reason, fields, errors: 'map' }
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
  deps: Pick<Dependencies, 'db' | 'isDemo' | 'ledger' | 'ledgers' | 'mailUiUrl' | 'settings'>,
): Route {
  const options = { rate: 'read', owner: 'any', audit: null, isOpenInMaintenance: true } as const
  return declareRoute(getPublicSettings, options, async () => {
    const [{ general }, { rules }, endorsementCounts, ledgers] = await Promise.all([
      deps.settings.read(),
      deps.ledger.ask('rules', {}),
      countShownEndorsements(deps.db),
      deps.ledgers.list(),
    ])
    return {
      settings: {
        siteName: general.siteName,
        siteUrl: general.siteUrl,
        legalName: general.legalName,
        termsUrl: general.termsUrl,
        privacyUrl: general.privacyUrl,
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
        endorsementCounts,
        ...(ledgers.length > 1 ? { ledgers: [...ledgers] } : {}),
      },
    }
  })
}

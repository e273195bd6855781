import type { Logger } from 'pino'
import { adjustmentRoutes } from './features/adjustments/routes.ts'
import { auditLogRoutes } from './features/audit-log/routes.ts'
import { bankStatementRoutes } from './features/bank-statements/routes.ts'
import { bankRoutes } from './features/banks/routes.ts'
import { chartRoutes } from './features/charts/routes.ts'
import { attestationRoutes } from './features/claims/attestation-routes.ts'
import { reviewTimeRoute } from './features/claims/review-times.ts'
import { claimRoutes } from './features/claims/routes.ts'
import { deletionRoute } from './features/closing/deletion-route.ts'
import { closingRoutes } from './features/closing/routes.ts'
import { countryRoutes } from './features/countries/routes.ts'
import { depositReferenceRoutes } from './features/deposits/reference.ts'
import { documentRoutes } from './features/documents/routes.ts'
import { explorerRoutes } from './features/explorer/routes.ts'
import { verificationRoutes } from './features/explorer/verification-routes.ts'
import { faqRoutes } from './features/faqs/routes.ts'
import { investmentDetailRoutes } from './features/investments/detail.ts'
import { investmentExportRoutes } from './features/investments/export.ts'
import { investmentRoutes } from './features/investments/routes.ts'
import { jobRoutes } from './features/jobs/routes.ts'
import { loginRoutes } from './features/login/routes.ts'
import { mailTemplateRoutes } from './features/mail-templates/routes.ts'
import { messageRoutes } from './features/messages/routes.ts'
import { mfaResetRoute } from './features/mfa/mfa-reset.ts'
import { mfaRoutes } from './features/mfa/routes.ts'
import { notificationRoutes } from './features/notifications/routes.ts'
import { forcedResetRoute } from './features/passwords/forced-reset.ts'
import { passwordRoutes } from './features/passwords/routes.ts'
import { paymentOptionRoutes } from './features/payment-options/routes.ts'
import { planRoutes } from './features/plans/routes.ts'
import { preferenceRoutes } from './features/preferences/routes.ts'
import { photoRoutes } from './features/profile/photo-routes.ts'
import { profileRoutes } from './features/profile/routes.ts'
import { referralRoutes } from './features/referrals/routes.ts'
import { registrationRoutes } from './features/registration/routes.ts'
import { reserveRoutes } from './features/reserve/routes.ts'
import { sessionRoutes } from './features/sessions/routes.ts'
import { userSessionRoutes } from './features/sessions/user-session-routes.ts'
import { settingsRoutes } from './features/settings/routes.ts'
import { statsRoutes } from './features/stats/routes.ts'
import { statusRoutes } from './features/status/status.ts'
import { transactionDetailRoutes } from './features/transactions/detail.ts'
import { transactionExportRoutes } from './features/transactions/export.ts'
import { transactionRoutes } from './features/transactions/routes.ts'
import { userStatusRoutes } from './features/user-status/routes.ts'
import { userDetailRoutes } from './features/users/detail-routes.ts'
import { userRoutes } from './features/users/routes.ts'
import { withdrawalLimitRoutes } from './features/withdrawals/limits.ts'
import type { Dependencies } from './platform/dependencies.ts'
import { createBlobStore } from './platform/files/blob-store.ts'
import type { Route } from './platform/http/registry.ts'
import { liveRoutes } from './platform/live/routes.ts'

/** All routes of `/api/v1`. */
export function allRoutes(deps: Dependencies, log: Logger): readonly Route[] {
  const blobs = createBlobStore({ ...deps, dailyScale: deps.rateLimitScale })
  const routes = [
    ...countryRoutes(),
    ...settingsRoutes(deps),
    ...registrationRoutes(deps, log),
    ...loginRoutes(deps, log),
    ...mfaRoutes(deps),
    ...passwordRoutes(deps, log),
    ...profileRoutes(deps),
    ...sessionRoutes(deps),
    ...closingRoutes(deps),
    ...userSessionRoutes(deps),
    forcedResetRoute(deps),
    mfaResetRoute(deps),
    deletionRoute(deps),
    ...userStatusRoutes(deps),
    ...userRoutes(deps),
    ...photoRoutes(deps, blobs),
    ...notificationRoutes(deps),
    ...liveRoutes(deps),
    ...preferenceRoutes(deps),
    ...referralRoutes(deps),
    ...bankRoutes(deps),
    ...withdrawalLimitRoutes(deps),
    ...depositReferenceRoutes(deps),
    ...planRoutes(deps),
    ...paymentOptionRoutes(deps, blobs),
    ...transactionRoutes(deps, blobs),
    reviewTimeRoute(deps),
    ...investmentRoutes(deps),
    ...statsRoutes(deps),
    ...chartRoutes(deps),
    ...reserveRoutes(deps),
    ...bankStatementRoutes(deps),
    ...adjustmentRoutes(deps),
    ...claimRoutes(deps),
    ...attestationRoutes(deps, blobs),
    ...faqRoutes(deps),
    ...messageRoutes(deps),
    ...mailTemplateRoutes(deps),
    ...documentRoutes(deps),
    ...jobRoutes(deps),
    ...statusRoutes(deps),
    ...explorerRoutes(deps),
    ...verificationRoutes(deps),
    // Literal paths must precede paths with a parameter.
    ...transactionExportRoutes(deps),
    ...transactionDetailRoutes(deps),
    ...investmentExportRoutes(deps),
    ...investmentDetailRoutes(deps),
    ...userDetailRoutes(deps),
  ]
  const actions = routes.flatMap(({ options }) => options.audit ?? [])
  return [...routes, ...auditLogRoutes(deps, [...new Set(actions)].toSorted())]
}

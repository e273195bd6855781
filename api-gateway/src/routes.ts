import type { Logger } from 'pino'
import { adjustmentRoutes } from './adjustments/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { bankStatementRoutes } from './bank-statements/routes.ts'
import { bankRoutes } from './banks/routes.ts'
import { chartRoutes } from './charts/routes.ts'
import { attestationRoutes } from './claims/attestation-routes.ts'
import { claimRoutes } from './claims/routes.ts'
import { contactRoutes } from './contact/routes.ts'
import { countryRoutes } from './countries/routes.ts'
import type { Dependencies } from './dependencies.ts'
import { depositReferenceRoutes } from './deposits/reference.ts'
import { explorerRoutes } from './explorer/routes.ts'
import { verificationRoutes } from './explorer/verification-routes.ts'
import { faqRoutes } from './faqs/routes.ts'
import { createBlobStore } from './files/blob-store.ts'
import type { Route } from './http/registry.ts'
import { investmentDetailRoutes } from './investments/detail.ts'
import { investmentExportRoutes } from './investments/export.ts'
import { investmentRoutes } from './investments/routes.ts'
import { liveRoutes } from './live/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { jobRoutes } from './operations/routes.ts'
import { statusRoutes } from './operations/status.ts'
import { paperRoutes } from './papers/routes.ts'
import { paymentOptionRoutes } from './payment-options/routes.ts'
import { planRoutes } from './plans/routes.ts'
import { preferenceRoutes } from './preferences/routes.ts'
import { referralRoutes } from './referrals/routes.ts'
import { reserveRoutes } from './reserve/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { statsRoutes } from './stats/routes.ts'
import { templateRoutes } from './templates/routes.ts'
import { transactionDetailRoutes } from './transactions/detail.ts'
import { transactionExportRoutes } from './transactions/export.ts'
import { reviewTimeRoute } from './transactions/review-times.ts'
import { transactionRoutes } from './transactions/routes.ts'
import { userAdminRoutes } from './users/admin-routes.ts'
import { closingRoutes } from './users/closing-routes.ts'
import { userDetailRoutes } from './users/detail-routes.ts'
import { mfaRoutes } from './users/mfa-routes.ts'
import { passwordRoutes } from './users/password-routes.ts'
import { photoRoutes } from './users/photo-routes.ts'
import { profileRoutes } from './users/profile-routes.ts'
import { registrationRoutes } from './users/registration-routes.ts'
import { userRoutes } from './users/routes.ts'
import { sessionListRoutes } from './users/session-list-routes.ts'
import { sessionRoutes } from './users/session-routes.ts'
import { withdrawalLimitRoutes } from './withdrawals/limits.ts'

/** Every call of api/v1. */
export function allRoutes(deps: Dependencies, log: Logger): readonly Route[] {
  const blobs = createBlobStore({ ...deps, dailyScale: deps.rateLimitScale })
  const routes = [
    ...countryRoutes(),
    ...settingsRoutes(deps),
    ...registrationRoutes(deps, log),
    ...sessionRoutes(deps, log),
    ...mfaRoutes(deps),
    ...passwordRoutes(deps, log),
    ...profileRoutes(deps),
    ...sessionListRoutes(deps),
    ...closingRoutes(deps),
    ...userAdminRoutes(deps),
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
    ...contactRoutes(deps),
    ...templateRoutes(deps),
    ...paperRoutes(deps),
    ...jobRoutes(deps),
    ...statusRoutes(deps),
    ...explorerRoutes(deps),
    ...verificationRoutes(deps),
    // A path with a parameter comes after those that are whole words.
    ...transactionExportRoutes(deps),
    ...transactionDetailRoutes(deps),
    ...investmentExportRoutes(deps),
    ...investmentDetailRoutes(deps),
    ...userDetailRoutes(deps),
  ]
  const actions = routes.flatMap(({ options }) => options.audit ?? [])
  return [...routes, ...auditRoutes(deps, [...new Set(actions)].toSorted())]
}

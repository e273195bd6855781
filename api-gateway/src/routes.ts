import type { Logger } from 'pino'
import { createChangeRegistry } from './change-kinds.ts'
import { createAdjustmentRoutes } from './features/adjustments/routes.ts'
import { createAnnouncementRoutes } from './features/announcements/routes.ts'
import { createUnsubscribeRoute } from './features/announcements/unsubscribe.ts'
import { createAuditLogRoutes } from './features/audit-log/routes.ts'
import { createBankStatementRoutes } from './features/bank-statements/routes.ts'
import { createBankRoutes } from './features/banks/routes.ts'
import { createChangeRequestRoutes } from './features/change-requests/routes.ts'
import { createChartRoutes } from './features/charts/routes.ts'
import { createAttestationRoutes } from './features/claims/attestation-routes.ts'
import { createReviewTimeRoute } from './features/claims/review-times.ts'
import { createClaimRoutes } from './features/claims/routes.ts'
import { createDeletionRoute } from './features/closing/deletion-route.ts'
import { createClosingRoutes } from './features/closing/routes.ts'
import { createCountryRoutes } from './features/countries/routes.ts'
import { createDepositReferenceRoutes } from './features/deposits/reference.ts'
import { createDocumentRoutes } from './features/documents/routes.ts'
import { createEndorsementRoutes } from './features/endorsements/routes.ts'
import { createExplorerRoutes } from './features/explorer/routes.ts'
import { createVerificationRoutes } from './features/explorer/verification-routes.ts'
import { createFaqRoutes } from './features/faqs/routes.ts'
import { createInvestmentDetailRoutes } from './features/investments/detail.ts'
import { createInvestmentExportRoutes } from './features/investments/export.ts'
import { createInvestmentRoutes } from './features/investments/routes.ts'
import { createJobRoutes } from './features/jobs/routes.ts'
import { createLedgerRoutes } from './features/ledgers/routes.ts'
import { createLoginRoutes } from './features/login/routes.ts'
import { createMailTemplateRoutes } from './features/mail-templates/routes.ts'
import { createMessageRoutes } from './features/messages/routes.ts'
import { createMfaResetRoute } from './features/mfa/mfa-reset.ts'
import { createMfaRoutes } from './features/mfa/routes.ts'
import { createNotificationRoutes } from './features/notifications/routes.ts'
import { createOpeningBalanceRoutes } from './features/opening-balances/routes.ts'
import { createPasskeyRoutes } from './features/passkeys/routes.ts'
import { createForcedResetRoute } from './features/passwords/forced-reset.ts'
import { createPasswordRoutes } from './features/passwords/routes.ts'
import { createPaymentOptionRoutes } from './features/payment-options/routes.ts'
import { createPlanRoutes } from './features/plans/routes.ts'
import { createPreferenceRoutes } from './features/preferences/routes.ts'
import { createPhotoRoutes } from './features/profile/photo-routes.ts'
import { createProfileRoutes } from './features/profile/routes.ts'
import { createReferralRoutes } from './features/referrals/routes.ts'
import { createRegistrationRoutes } from './features/registration/routes.ts'
import { createReserveRoutes } from './features/reserve/routes.ts'
import { createRoleRoutes } from './features/roles/routes.ts'
import { createSessionRoutes } from './features/sessions/routes.ts'
import { createUserSessionRoutes } from './features/sessions/user-session-routes.ts'
import { createSettingsRoutes } from './features/settings/routes.ts'
import { createSigningKeyRoutes } from './features/signing-key/routes.ts'
import { createStatsRoutes } from './features/stats/routes.ts'
import { createStatusRoutes } from './features/status/status.ts'
import { createTransactionDetailRoutes } from './features/transactions/detail.ts'
import { createTransactionExportRoutes } from './features/transactions/export.ts'
import { createTransactionRoutes } from './features/transactions/routes.ts'
import { createUserStatusRoutes } from './features/user-status/routes.ts'
import { createUserDetailRoutes } from './features/users/detail-routes.ts'
import { createNameReviewRoute } from './features/users/name-review.ts'
import { createUserRoutes } from './features/users/routes.ts'
import { createWithdrawalLimitRoutes } from './features/withdrawals/limits.ts'
import type { Dependencies } from './platform/dependencies.ts'
import { createBlobStore } from './platform/files/blob-store.ts'
import type { Route } from './platform/http/registry.ts'
import { createLiveRoutes } from './platform/live/routes.ts'

/** Returns all routes of `/api/v1`. */
export function createAllRoutes(
  deps: Dependencies,
  log: Logger,
  registry = createChangeRegistry(deps),
): readonly Route[] {
  const blobs = createBlobStore({ ...deps, dailyScale: deps.rateLimitScale })
  const routes = [
    ...createCountryRoutes(),
    ...createSettingsRoutes(deps),
    ...createRegistrationRoutes(deps, log),
    ...createLoginRoutes(deps, log),
    ...createMfaRoutes(deps),
    ...createPasskeyRoutes(deps),
    ...createPasswordRoutes(deps, log),
    ...createProfileRoutes(deps),
    ...createSessionRoutes(deps),
    ...createClosingRoutes(deps),
    ...createUserSessionRoutes(deps),
    createForcedResetRoute(deps),
    createMfaResetRoute(deps),
    createDeletionRoute(deps),
    ...createUserStatusRoutes(deps),
    ...createRoleRoutes(deps),
    ...createUserRoutes(deps),
    createNameReviewRoute(deps),
    ...createPhotoRoutes(deps, blobs),
    ...createNotificationRoutes(deps),
    ...createLiveRoutes(deps),
    ...createPreferenceRoutes(deps),
    ...createReferralRoutes(deps),
    ...createBankRoutes(deps),
    ...createWithdrawalLimitRoutes(deps),
    ...createDepositReferenceRoutes(deps),
    ...createPlanRoutes(deps),
    ...createPaymentOptionRoutes(deps, blobs),
    ...createTransactionRoutes({ ...deps, registry }, blobs),
    createReviewTimeRoute(deps),
    ...createInvestmentRoutes(deps),
    ...createStatsRoutes(deps),
    ...createChartRoutes(deps),
    ...createReserveRoutes(deps),
    ...createBankStatementRoutes(deps),
    ...createAdjustmentRoutes(deps),
    ...createChangeRequestRoutes(deps, { registry, blobs }),
    ...createClaimRoutes(deps),
    ...createAttestationRoutes(deps, blobs),
    ...createEndorsementRoutes(deps),
    ...createFaqRoutes(deps),
    ...createMessageRoutes(deps),
    ...createMailTemplateRoutes(deps),
    ...createAnnouncementRoutes(deps),
    createUnsubscribeRoute(deps),
    ...createDocumentRoutes(deps),
    ...createJobRoutes(deps),
    ...createStatusRoutes(deps),
    ...createExplorerRoutes(deps),
    ...createVerificationRoutes(deps),
    ...createSigningKeyRoutes(deps),
    ...createOpeningBalanceRoutes(deps),
    ...createLedgerRoutes(deps),
    // A fixed path must be listed before a path with a parameter that also matches it.
    ...createTransactionExportRoutes(deps),
    ...createTransactionDetailRoutes(deps),
    ...createInvestmentExportRoutes(deps),
    ...createInvestmentDetailRoutes(deps),
    ...createUserDetailRoutes(deps),
  ]
  return [...routes, ...createAuditLogRoutes(deps)]
}

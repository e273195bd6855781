import { createWalletChanges } from './features/adjustments/wallet-changes.ts'
import { createAnnouncementChange } from './features/announcements/announcement-change.ts'
import type { ChangeRegistry } from './features/change-requests/index.ts'
import { createAttestationChange } from './features/claims/attestation-change.ts'
import { createClaimChange } from './features/claims/claim-change.ts'
import { createDeletionChange } from './features/closing/deletion-change.ts'
import { createDenialChange } from './features/investments/denial-change.ts'
import { createLedgerChange } from './features/ledgers/ledger-change.ts'
import { createTemplateChange } from './features/mail-templates/template-change.ts'
import { createMfaResetChange } from './features/mfa/mfa-reset.ts'
import { createImportChange } from './features/opening-balances/import-change.ts'
import { createPasswordResetChange } from './features/passwords/forced-reset.ts'
import { createOptionChange } from './features/payment-options/option-change.ts'
import { createPlanChange } from './features/plans/plan-change.ts'
import { createReserveChanges } from './features/reserve/reserve-changes.ts'
import { createRolesChange } from './features/roles/roles-change.ts'
import { createSettingsChange } from './features/settings/settings-change.ts'
import { createRotationChange } from './features/signing-key/rotation-change.ts'
import { createTransactionChanges } from './features/transactions/transaction-changes.ts'
import { createInvitationChange } from './features/user-status/admin-invitation.ts'
import { createStatusChange } from './features/user-status/status-change.ts'
import type { Dependencies } from './platform/dependencies.ts'

/** Returns the definitions of all changes that can need a second administrator, by kind. */
export function createChangeRegistry(deps: Dependencies): ChangeRegistry {
  return {
    settings: createSettingsChange(deps),
    'payment-option': createOptionChange(),
    'mail-template': createTemplateChange(),
    announcement: createAnnouncementChange(),
    'admin-invitation': createInvitationChange(deps),
    'admin-status': createStatusChange(deps),
    'admin-roles': createRolesChange(deps),
    'admin-deletion': createDeletionChange(deps),
    'admin-mfa-reset': createMfaResetChange(deps),
    'admin-password-reset': createPasswordResetChange(deps),
    claim: createClaimChange(),
    attestation: createAttestationChange(),
    plan: createPlanChange(deps),
    'investment-denial': createDenialChange(deps),
    'signing-key-rotation': createRotationChange(deps),
    'balance-import': createImportChange(deps),
    ledger: createLedgerChange(deps),
    ...createTransactionChanges(deps),
    ...createWalletChanges(deps),
    ...createReserveChanges(deps),
  }
}

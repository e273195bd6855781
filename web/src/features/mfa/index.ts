export { FactorField } from './factor-field.tsx'
export { MfaCard } from './mfa-card.tsx'
export { MfaSetup } from './mfa-setup.tsx'
export { RecoveryCodes } from './recovery-codes.tsx'

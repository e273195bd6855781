export { FactorField } from './factor-field.tsx'
export { TwoFactorCard } from './mfa-card.tsx'
export { TwoFactorSetup } from './mfa-setup.tsx'

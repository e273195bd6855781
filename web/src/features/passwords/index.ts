export { ChangePasswordCard } from './change-password-card.tsx'
export { NewPasswordForm } from './new-password-form.tsx'
export { useChangePassword } from './queries.ts'
export { StrengthMeter } from './strength-meter.tsx'

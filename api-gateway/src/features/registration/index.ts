// The exports for other features.
export { sendCodeAtLogin } from './verification.ts'

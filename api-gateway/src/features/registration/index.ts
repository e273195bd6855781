export { sendCodeAtLogin } from './verification.ts'

// What other features use of this one.
export { sendCodeAtLogin } from './verification.ts'

export { PasskeyLogin } from './passkey-login.tsx'
export { PasskeySetup } from './passkey-setup.tsx'
export { PasskeysCard } from './passkeys-card.tsx'

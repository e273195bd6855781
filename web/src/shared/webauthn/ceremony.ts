import type {
  Assertion,
  CreationOptions,
  NewCredential,
  RequestOptions,
} from '@cairn/gateway-contracts'
import { useSyncExternalStore } from 'react'

/**
 * The error that is thrown if the user cancels a passkey ceremony (creation or use of a passkey),
 * or if the browser refuses the ceremony. The message says what to do.
 */
export class CeremonyError extends Error {
  override name = 'CeremonyError'
}

const NO_EXTENSIONS = { type: 'public-key', clientExtensionResults: {} } as const
const LOOPBACK = /^(127(\.\d+){3}|\[::1\])$/
const IP_ADDRESS = /^(\d+(\.\d+){3}|\[[\da-f:.]+\])$/i

/** Returns the reason why this page cannot use passkeys. Returns null if it can use them. */
export function explainNoPasskeys(page: {
  hostname: string
  port: string
  isSecureContext: boolean
  hasWebAuthn: boolean
}): string | null {
  const { hostname, port } = page
  if (LOOPBACK.test(hostname)) {
    const address = `http://localhost${port === '' ? '' : `:${port}`}`
    return `Passkeys do not work at an IP address. Open ${address} instead.`
  }
  if (IP_ADDRESS.test(hostname)) {
    return 'Passkeys do not work at an IP address. Open this site by its domain name.'
  }
  if (!page.isSecureContext) return 'Passkeys need a secure connection (https).'
  return page.hasWebAuthn ? null : 'This browser does not support passkeys.'
}

/**
 * Returns the reason why this page cannot use passkeys. Returns null if it can use them, and during
 * prerendering, because the page then has no address.
 */
export function useNoPasskeysReason(): string | null {
  return useSyncExternalStore(subscribeToNothing, explainNoPasskeysHere, () => null)
}

/** The subscription does nothing, because the address of a page does not change. */
function subscribeToNothing(): () => void {
  return () => {}
}

function explainNoPasskeysHere(): string | null {
  const { hostname, port } = window.location
  const hasWebAuthn = window.PublicKeyCredential !== undefined
  return explainNoPasskeys({ hostname, port, hasWebAuthn, isSecureContext: window.isSecureContext })
}

export async function createCredential(options: CreationOptions): Promise<NewCredential> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const { id, rawId, response } = await runCeremony(() =>
    startRegistration({ optionsJSON: options }),
  )
  const { clientDataJSON, attestationObject, transports = [] } = response
  return {
    ...NO_EXTENSIONS,
    id,
    rawId,
    response: { clientDataJSON, attestationObject, transports },
  }
}

export async function signChallenge(options: RequestOptions): Promise<Assertion> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const { id, rawId, response } = await runCeremony(() =>
    startAuthentication({ optionsJSON: options }),
  )
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  const signed = { clientDataJSON, authenticatorData, signature }
  // An empty user handle counts as a missing user handle.
  return { ...NO_EXTENSIONS, id, rawId, response: userHandle ? { ...signed, userHandle } : signed }
}

async function runCeremony<Answer>(ceremony: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ceremony()
  } catch (error) {
    throw new CeremonyError(explainError(error), { cause: error })
  }
}

function explainError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  switch (code) {
    case 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED':
      return 'This device already has a passkey for your account.'
    case 'ERROR_INVALID_DOMAIN':
    case 'ERROR_INVALID_RP_ID':
      return 'Passkeys belong to another address of this site. Open the site by its usual address.'
    case 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT':
    case 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT':
      return 'This device cannot store a passkey. Set a PIN or screen lock, or use another device.'
    default:
      return 'The passkey was not used: cancelled, timed out, or not on this device. Please try again.'
  }
}

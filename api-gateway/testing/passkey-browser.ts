import type { CreationOptions, RequestOptions } from '@cairn/gateway-contracts'
import { type Authenticator, createAuthenticator, type Deviation } from './authenticator.ts'
import { type Browser, logInNewBrowser, openBrowser, visit } from './test-browser.ts'
import { PASSWORD, type TestGateway } from './test-gateway.ts'

/** The origin of PUBLIC_URL in test gateways. */
export const ORIGIN = 'http://gateway.test'

/** Returns the options in the gateway's answer. Throws for any other answer. */
async function beginCeremony<Options>(
  browser: Browser,
  path: string,
  body: object = {},
): Promise<Options> {
  const reply = await browser.call('POST', path, body)
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  // The cast is safe because the contracts of these endpoints have this type.
  return (reply.body.data as unknown as { options: Options }).options
}

/** Begins the enrolment of a passkey by a user whose password is `PASSWORD`. */
export const beginEnrolment = (browser: Browser, body: object = { password: PASSWORD }) =>
  beginCeremony<CreationOptions>(browser, '/users/me/passkeys/options', body)
export const beginLogin = (browser: Browser) =>
  beginCeremony<RequestOptions>(browser, '/users/login/passkey/options')
export const beginStepUp = (browser: Browser) =>
  beginCeremony<RequestOptions>(browser, '/users/me/passkeys/step_up/options')

/** Enrols the passkey in this browser. Returns the reply. */
export async function addPasskey(browser: Browser, passkey: Authenticator, deviation?: Deviation) {
  const options = await beginEnrolment(browser)
  const credential = passkey.create(options, deviation)
  return await browser.call('POST', '/users/me/passkeys', { name: 'Laptop', credential })
}

/** Creates a user with a passkey. Returns the user, the passkey and the browser that added it. */
export async function enrolPasskey(gateway: TestGateway, who: 'admin' | 'investor') {
  const person = await visit(gateway, who)
  const browser = await logInNewBrowser(gateway, person.email)
  const passkey = createAuthenticator(ORIGIN)
  const reply = await addPasskey(browser, passkey)
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body))
  const data = reply.body.data as unknown as {
    passkey: { id: string }
    recoveryCodes: readonly string[] | null
  }
  return { ...person, browser, passkey, passkeyId: data.passkey.id, codes: data.recoveryCodes }
}

/** Logs in with a passkey and without an email. */
export async function logInWithPasskey(
  gateway: TestGateway,
  passkey: Authenticator,
  deviation?: Deviation,
  browser = openBrowser(gateway),
) {
  const options = await beginLogin(browser)
  const credential = passkey.get(options, deviation)
  const reply = await browser.call('POST', '/users/login/passkey', { credential })
  return { browser, reply, credential }
}

/** Repeats the second factor in this session with the passkey. */
export async function stepUpWithPasskey(
  browser: Browser,
  passkey: Authenticator,
  deviation?: Deviation,
) {
  const options = await beginStepUp(browser)
  const credential = passkey.get(options, deviation)
  return await browser.call('POST', '/users/me/passkeys/step_up', { credential })
}

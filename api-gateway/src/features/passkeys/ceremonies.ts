import {
  type Assertion,
  type CreationOptions,
  type NewCredential,
  PASSKEY_MINUTES,
  type RequestOptions,
} from '@cairn/gateway-contracts'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { HttpFailure } from '../../platform/http/failure.ts'
import type { PasskeyRow } from './passkey.ts'
import type { RelyingParty } from './relying-party.ts'

const TIMEOUT_MS = PASSKEY_MINUTES * 60_000
const PUBLIC_KEY = 'public-key'
/**
 * The accepted signature algorithms: ES256 and RS256. Every authenticator supports one of these
 * algorithms. The list is set here, because the library's default depends on the runtime.
 */
const ALGORITHMS = [-7, -257]

export interface PasskeyOwner {
  handle: Buffer
  email: string
  name: string
}

/**
 * Returns the options for adding a passkey. The passkey must be discoverable, and the authenticator
 * must verify its user.
 */
export async function createEnrolment(
  site: RelyingParty & { name: string },
  owner: PasskeyOwner,
  known: readonly PasskeyRow[],
): Promise<CreationOptions> {
  const options = await generateRegistrationOptions({
    rpName: site.name,
    rpID: site.id,
    userName: owner.email,
    userDisplayName: owner.name,
    userID: new Uint8Array(owner.handle),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return {
    ...options,
    rp: { name: site.name, id: site.id },
    timeout: TIMEOUT_MS,
    attestation: 'none',
    excludeCredentials: known.map((row) => ({ ...toDescriptor(row), type: PUBLIC_KEY })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  }
}

/**
 * Returns the options for a login or a step-up. If `known` is empty, the user can choose any
 * passkey of this site.
 */
export async function createLoginRequest(
  site: RelyingParty,
  known: readonly PasskeyRow[],
): Promise<RequestOptions> {
  const { challenge } = await generateAuthenticationOptions({
    rpID: site.id,
    userVerification: 'required',
    timeout: TIMEOUT_MS,
  })
  return {
    challenge,
    rpId: site.id,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
    allowCredentials: known.map((row) => ({ ...toDescriptor(row), type: PUBLIC_KEY })),
  }
}

export interface VerifiedCredential {
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
  isSynced: boolean
}

/**
 * Checks the answer to an enrolment: challenge, origin, site, user presence and user verification.
 */
export async function verifyEnrolment(
  site: RelyingParty,
  { credential, challenge }: { credential: NewCredential; challenge: string },
): Promise<VerifiedCredential> {
  const { registrationInfo } = await convertErrorsToFailure(() =>
    verifyRegistrationResponse({
      response: { ...credential, response: omitUndefined(credential.response) },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (registrationInfo === undefined || !registrationInfo.userVerified)
    throw createPasskeyRefusedFailure()
  const { id, publicKey, counter } = registrationInfo.credential
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    isSynced: registrationInfo.credentialBackedUp,
  }
}

/**
 * Checks the signature with the stored key. Throws if the counter has not increased, because the
 * passkey may have been copied. A passkey whose counter is always zero is accepted.
 */
export async function verifyAssertion(
  site: RelyingParty,
  answer: { credential: Assertion; challenge: string; row: PasskeyRow },
): Promise<{ signCount: number; isSynced: boolean }> {
  const { credential, challenge, row } = answer
  const { verified, authenticationInfo } = await convertErrorsToFailure(() =>
    verifyAuthenticationResponse({
      response: { ...credential, response: omitUndefined(credential.response) },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.id,
      requireUserVerification: true,
      credential: {
        id: row.credential_id.toString('base64url'),
        publicKey: new Uint8Array(row.public_key),
        counter: Number(row.sign_count),
      },
    }),
  )
  if (!verified || !authenticationInfo.userVerified) throw createPasskeyRefusedFailure()
  const { newCounter, credentialBackedUp } = authenticationInfo
  return { signCount: newCounter, isSynced: credentialBackedUp }
}

export function createPasskeyRefusedFailure(): HttpFailure {
  return new HttpFailure(400, 'PASSKEY_REFUSED', 'This passkey was not accepted')
}

/**
 * Converts each exception to a refusal. The library throws for every wrong answer, including
 * malformed bytes.
 */
async function convertErrorsToFailure<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify()
  } catch {
    throw createPasskeyRefusedFailure()
  }
}

function toDescriptor({ credential_id, transports }: PasskeyRow) {
  return { id: credential_id.toString('base64url'), transports }
}

type WithoutUndefined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> }

function omitUndefined<T extends object>(value: T): WithoutUndefined<T> {
  // Removes keys with the value undefined; all other keys remain.
  return Object.fromEntries(
    Object.entries(value).filter(([, part]) => part !== undefined),
  ) as WithoutUndefined<T>
}

import { z } from 'zod'
import { SINGLE_LINE } from './fields.ts'

// The JSON that the browser and the gateway exchange for WebAuthn. Binary values are base64url.

const createBase64UrlField = (charactersMax: number) =>
  z
    .string('is missing')
    .max(charactersMax, 'is too long')
    .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url')

/** The specification allows ids of 1,023 bytes, which are 1,364 characters in base64url. */
const CredentialId = createBase64UrlField(1_364)
const ClientData = createBase64UrlField(4_000)
const Large = createBase64UrlField(20_000)
const PublicKeyType = z.literal('public-key')
/** The gateway requests no WebAuthn extensions. */
const Extensions = z.looseObject({}).default({})
const Transports = z.array(z.string().max(20).regex(SINGLE_LINE, 'cannot be stored')).max(10)

/** The JSON of the answer of `navigator.credentials.create()`. */
export const NewCredential = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: PublicKeyType,
  clientExtensionResults: Extensions,
  response: z.object({
    clientDataJSON: ClientData,
    attestationObject: Large,
    transports: Transports.optional(),
  }),
})
export type NewCredential = z.infer<typeof NewCredential>

/** The JSON of the answer of `navigator.credentials.get()`. */
export const Assertion = z.object({
  id: CredentialId,
  rawId: CredentialId,
  type: PublicKeyType,
  clientExtensionResults: Extensions,
  response: z.object({
    clientDataJSON: ClientData,
    authenticatorData: createBase64UrlField(4_000),
    signature: createBase64UrlField(2_000),
    userHandle: createBase64UrlField(100).optional(),
  }),
})
export type Assertion = z.infer<typeof Assertion>

const Known = z.object({
  id: z.string(),
  type: PublicKeyType,
  transports: z.array(z.string()),
})

/** The JSON of the argument of `navigator.credentials.create()`. */
export const CreationOptions = z.object({
  challenge: z.string(),
  rp: z.object({ name: z.string(), id: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ alg: z.int(), type: PublicKeyType })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(Known),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
})
export type CreationOptions = z.infer<typeof CreationOptions>

/**
 * The argument of `navigator.credentials.get()`. If `allowCredentials` is empty, any passkey of
 * this site is allowed.
 */
export const RequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  allowCredentials: z.array(Known),
})
export type RequestOptions = z.infer<typeof RequestOptions>

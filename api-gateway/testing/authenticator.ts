import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type {
  Assertion,
  CreationOptions,
  NewCredential,
  RequestOptions,
} from '@cairn/gateway-contracts'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** The differences between the answer of an authenticator and a correct answer. */
export interface Deviation {
  origin?: string
  rpId?: string
  challenge?: string
  isUserVerified?: boolean
  signCount?: number
  userHandle?: string
  /** Signs with this key instead of the key of the passkey. */
  key?: KeyObject
}

/** An authenticator in software. It has one passkey and signs as WebAuthn requires. */
export interface Authenticator {
  credentialId: string
  privateKey: KeyObject
  create(options: CreationOptions, deviation?: Deviation): NewCredential
  get(options: RequestOptions, deviation?: Deviation): Assertion
}

export function createAuthenticator(origin: string): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(20)
  const credentialId = id.toString('base64url')
  let handle = ''
  let signCount = 0
  const envelope = { id: credentialId, rawId: credentialId, type: 'public-key' } as const
  return {
    credentialId,
    privateKey,
    create: (options, deviation = {}) => {
      handle = options.user.id
      const authData = Buffer.concat([
        createHead({ rpId: options.rp.id, flags: HAS_CREDENTIAL, signCount: 0 }, deviation),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        toCose(publicKey),
      ])
      const clientData = createClientData('webauthn.create', { ...options, origin }, deviation)
      return {
        ...envelope,
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData.toString('base64url'),
          attestationObject: toAttestation(authData).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    get: (options, deviation = {}) => {
      signCount += 1
      const authData = createHead({ rpId: options.rpId, flags: 0, signCount }, deviation)
      const clientData = createClientData('webauthn.get', { ...options, origin }, deviation)
      const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
      const signature = sign('sha256', signed, deviation.key ?? privateKey)
      return {
        ...envelope,
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle: deviation.userHandle ?? handle,
        },
      }
    },
  }
}

function createHead(
  honest: { rpId: string; flags: number; signCount: number },
  deviation: Deviation,
): Buffer {
  const { isUserVerified = true } = deviation
  const flags = honest.flags | USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0)
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(deviation.signCount ?? honest.signCount)
  const rpIdHash = createHash('sha256')
    .update(deviation.rpId ?? honest.rpId)
    .digest()
  return Buffer.concat([rpIdHash, Buffer.from([flags]), counter])
}

function createClientData(
  type: string,
  honest: { challenge: string; origin: string },
  deviation: Deviation,
): Buffer {
  const { challenge = honest.challenge, origin = honest.origin } = deviation
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

/**
 * Converts the public key to COSE: a map with key type EC2, algorithm ES256, curve P-256, x and y.
 */
function toCose(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
}

/** Returns the CBOR encoding of `{ fmt: 'none', attStmt: {}, authData }`. */
function toAttestation(authData: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(authData.length)
  return Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
    Buffer.from('59', 'hex'),
    length,
    authData,
  ])
}

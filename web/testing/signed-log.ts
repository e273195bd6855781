import { generateKeyPairSync, sign } from 'node:crypto'
import {
  computeKeyId,
  formatUnsignedHandover,
  getNextOrigin,
  parseVerifierKey,
  toBase64,
} from '@cairn/gateway-contracts/proof'

/** The name of a log with its own key, with which tests sign checkpoints. */
export const LOG_NAME = 'log.example/ledger'

const pair = generateKeyPairSync('ed25519')
export const publicKey = new Uint8Array(
  pair.publicKey.export({ type: 'spki', format: 'der' }),
).slice(-32)
const keyId = computeKeyId(LOG_NAME, publicKey)

/** Formats a public key as a verifier key of the log. The key need not belong to the log. */
export function formatVerifierKey(key: Uint8Array): string {
  return `${LOG_NAME}+${computeKeyId(LOG_NAME, key)}+${toBase64(Uint8Array.of(1, ...key))}`
}

export const VERIFIER_KEY = formatVerifierKey(publicKey)

/** Returns the signed note of a tree head (C2SP signed-note). */
export function signCheckpoint(size: number, root: Uint8Array): string {
  const body = `${LOG_NAME}\n${size}\n${toBase64(root)}\n`
  const signature = sign(null, Buffer.from(body), pair.privateKey)
  const line = toBase64(Buffer.concat([Buffer.from(keyId, 'hex'), signature]))
  return `${body}\n\u2014 ${LOG_NAME} ${line}\n`
}

/**
 * Signs the handover of a fork that lost the events from `size` up to, but not including,
 * `lostSize`.
 */
export function signFork(place: { size: bigint; lostSize: bigint; at: string }): string {
  const { size, lostSize, at } = place
  const root = new Uint8Array(32)
  const oldKey = parseVerifierKey(VERIFIER_KEY)
  const name = getNextOrigin(LOG_NAME)
  const newKey = { name, id: computeKeyId(name, publicKey), publicKey }
  const lost = { size: lostSize, root, at }
  const text = formatUnsignedHandover({ size, root, lost, oldKey, newKey })
  return `${text} ${sign(null, Buffer.from(text), pair.privateKey).toString('base64')}`
}

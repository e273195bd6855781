import { createHmac } from 'node:crypto'

const STEP_SECONDS = 30
const BASE_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Computes a code as an authenticator app does (RFC 6238). */
export function computeTotp(secret: string, nowMs: number): string {
  const bits = [...secret]
    .map((digit) => BASE_32.indexOf(digit).toString(2).padStart(5, '0'))
    .join('')
  const bytes = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 1000 / STEP_SECONDS)))
  const hash = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  const at = (hash.at(-1) ?? 0) & 0xf
  return String((hash.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSigningKey, readOrCreateKey, type SigningKey } from '../../src/proofs/signing-key.ts'

/** Creates a signing key, and a new directory with the path of a checkpoint file. */
export async function createTestSigning(): Promise<{
  key: SigningKey
  folder: string
  checkpointFile: string
}> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-checkpoints-'))
  const pem = await readOrCreateKey(join(folder, 'key.pem'))
  const key = openSigningKey({ pem, origin: 'cairn.test/ledger/1' })
  return { key, folder, checkpointFile: join(folder, 'ledger-1.txt') }
}

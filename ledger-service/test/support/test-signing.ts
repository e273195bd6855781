import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCheckpointFileName } from '../../src/proofs/checkpoint-file.ts'
import { getMonth } from '../../src/proofs/month.ts'
import { openSigningKey, readOrCreateKey, type SigningKey } from '../../src/proofs/signing-key.ts'

/** Creates a signing key, and a new directory with the path of its present checkpoint file. */
export async function createTestSigning(): Promise<{
  key: SigningKey
  checkpointDir: string
  checkpointFile: string
}> {
  const checkpointDir = await mkdtemp(join(tmpdir(), 'cairn-checkpoints-'))
  const pem = await readOrCreateKey(join(checkpointDir, 'key.pem'))
  const key = openSigningKey({ pem, origin: 'cairn.test/ledger/1' })
  const checkpointFile = join(checkpointDir, getCheckpointFileName(1, getMonth(Date.now())))
  return { key, checkpointDir, checkpointFile }
}

import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseVerifierKey } from '@cairn/ledger-contracts/proof'
import { getMonth } from '../../src/domain/months/month.ts'
import { getCheckpointFileName } from '../../src/proofs/checkpoint-file.ts'
import { openSigningKey, readOrCreateKey, type SigningKey } from '../../src/proofs/signing-key.ts'

/** The private keys of the databases that tests have opened. Each database has one key. */
const pems = new Map<string, string>()

/**
 * Creates a new directory and returns it with the path of its present checkpoint file and a signing
 * key. All ledgers on the database with this URL get the same key.
 */
export async function createTestSigning(databaseUrl?: string): Promise<{
  key: SigningKey
  checkpointDir: string
  checkpointFile: string
}> {
  const checkpointDir = await mkdtemp(join(tmpdir(), 'cairn-checkpoints-'))
  const keyFile = join(checkpointDir, 'key.pem')
  const known = pems.get(databaseUrl ?? '')
  if (known !== undefined) await writeFile(keyFile, known, { mode: 0o600 })
  const pem = await readOrCreateKey(keyFile)
  if (databaseUrl !== undefined) pems.set(databaseUrl, pem)
  const key = openSigningKey({ pem, origin: 'cairn.test/ledger/1' })
  const checkpointFile = join(checkpointDir, getCheckpointFileName(1, getMonth(Date.now())))
  return { key, checkpointDir, checkpointFile }
}

/** Creates a signing key for a log. No file contains this key. */
export function createTestKey(origin = 'cairn.test/ledger/1'): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return openSigningKey({ pem, origin })
}

/** Creates a valid handover between two new keys. These keys belong to a log that no test opens. */
export function createTestHandover(): string {
  const [oldKey, newKey] = [createTestKey('other/ledger/1'), createTestKey('other/ledger/1')]
  const size = 1n
  return oldKey.signHandover({
    size,
    root: Buffer.alloc(32, 7),
    lost: null,
    newKey: parseVerifierKey(newKey.verifierKey),
  })
}

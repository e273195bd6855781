import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthority, issueCertificate } from '../certificates/issue.ts'
import { createSecrets, type PackagedSecrets, writeSecrets } from './secrets.ts'

/**
 * Creates a folder with the secrets of all processes and a certificate for the host name, as an
 * operator would. The tests of the packagings give them to the programs.
 */
export async function createPackagedFolder(
  hostName: string,
): Promise<{ folder: string; secrets: PackagedSecrets }> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-packaging-'))
  const secrets = createSecrets({
    databaseUrl: 'postgres://owner:password@db.example/cairn?sslmode=verify-full',
    smtpUrl: 'smtps://user:password@mail.example',
    hasSigningKey: true,
  })
  writeSecrets(folder, secrets)
  const wanted = { names: [hostName], nowMs: Date.now() }
  const authority = await createAuthority(wanted)
  const { cert, key } = await issueCertificate(authority, wanted)
  writeFileSync(join(folder, 'ca.crt'), authority.cert)
  writeFileSync(join(folder, 'tls.crt'), cert)
  writeFileSync(join(folder, 'tls.key'), key)
  return { folder, secrets }
}

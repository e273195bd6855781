import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CERTIFICATE_DAYS,
  createAuthority,
  type Issued,
  isLimitedTo,
  issueCertificate,
} from './issue.ts'

const DAY_MS = 86_400_000
/**
 * A certificate that expires within this number of milliseconds is replaced. After its start, a
 * service can therefore use its certificate for at least this time.
 */
const SPARE_MS = (CERTIFICATE_DAYS / 2) * DAY_MS
/**
 * An authority that expires within this number of milliseconds is replaced, so that no certificate
 * outlives its authority.
 */
const AUTHORITY_SPARE_MS = CERTIFICATE_DAYS * DAY_MS

/**
 * Creates certificates below `folder`, and replaces certificates that are nearly expired or
 * damaged. Returns the names of the created certificates. `authority/` has the authority and its
 * key, `public/` only the certificate of the authority. Each server has a folder with the
 * certificate of the authority (`ca.crt`), its own certificate (`tls.crt`) and its key (`tls.key`).
 */
export async function renewCertificates(wanted: {
  folder: string
  servers: readonly string[]
  nowMs: number
}): Promise<readonly string[]> {
  const { folder, servers, nowMs } = wanted
  const renewed: string[] = []
  const home = join(folder, 'authority')
  let authority = await readPair(home, 'ca')
  const untilMs = nowMs + AUTHORITY_SPARE_MS
  if (authority === null || !isUsable(authority, untilMs) || !isLimitedTo(authority, servers)) {
    authority = await createAuthority({ names: servers, nowMs })
    await writePair(home, 'ca', authority)
    renewed.push('authority')
  }
  await replaceFileAtomically(join(folder, 'public', 'ca.crt'), authority.cert, 0o644)
  for (const server of servers) {
    const place = join(folder, server)
    const found = await readPair(place, 'tls')
    if (found === null || !isIssued(found, { authority, server, untilMs: nowMs + SPARE_MS })) {
      await writePair(place, 'tls', await issueCertificate(authority, { names: [server], nowMs }))
      renewed.push(server)
    }
    await replaceFileAtomically(join(place, 'ca.crt'), authority.cert, 0o644)
  }
  return renewed
}

function isIssued(
  found: Issued,
  { authority, server, untilMs }: { authority: Issued; server: string; untilMs: number },
): boolean {
  if (!isUsable(found, untilMs)) return false
  const certificate = new X509Certificate(found.cert)
  const issuer = new X509Certificate(authority.cert)
  return certificate.verify(issuer.publicKey) && certificate.checkHost(server) !== undefined
}

/**
 * Returns false if the certificate expires before `untilMs`, or if the certificate and the key do
 * not match because a run was interrupted.
 */
function isUsable({ cert, key }: Issued, untilMs: number): boolean {
  try {
    const certificate = new X509Certificate(cert)
    const isLasting = certificate.validToDate.getTime() > untilMs
    return isLasting && certificate.checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

async function readPair(folder: string, name: string): Promise<Issued | null> {
  try {
    const cert = await readFile(join(folder, `${name}.crt`), 'utf8')
    return { cert, key: await readFile(join(folder, `${name}.key`), 'utf8') }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function writePair(folder: string, name: string, { cert, key }: Issued): Promise<void> {
  await replaceFileAtomically(join(folder, `${name}.key`), key, 0o600)
  await replaceFileAtomically(join(folder, `${name}.crt`), cert, 0o644)
}

/**
 * Writes the file under another name and renames it, so that a service never reads an incomplete
 * file.
 */
async function replaceFileAtomically(path: string, text: string, mode: number): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(`${path}.draft`, text, { mode })
  await rename(`${path}.draft`, path)
}

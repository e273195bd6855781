import 'reflect-metadata'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

const DAY_MS = 86_400_000
const AUTHORITY_DAYS = 3_650
/** The number of days for which a certificate of a server is valid. */
export const CERTIFICATE_DAYS = 730
/**
 * A certificate is valid from one hour before its issue, because the clocks of machines differ from
 * each other.
 */
const CLOCK_SKEW_MS = 3_600_000
const ALL_IPS = ['0.0.0.0/0', '::/0']
const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }
const SIGNATURE_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' }

/** A certificate and its private key, both as PEM. */
export interface Issued {
  readonly cert: string
  readonly key: string
}

/** Creates an authority that can certify only these DNS names and names below them, and no IP address. */
export async function createAuthority(wanted: {
  names: readonly string[]
  nowMs: number
}): Promise<Issued> {
  const keys = await crypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify'])
  const cert = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Cairn internal authority',
    ...buildValidity(wanted.nowMs, AUTHORITY_DAYS),
    keys,
    signingAlgorithm: SIGNATURE_ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      createNameConstraints(wanted.names),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { cert: cert.toString('pem'), key: await exportKey(keys.privateKey) }
}

/** Issues a certificate of a server for these DNS names. */
export async function issueCertificate(
  authority: Issued,
  wanted: { names: readonly string[]; nowMs: number },
): Promise<Issued> {
  const keys = await crypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify'])
  const issuer = new X509Certificate(authority.cert)
  const names = wanted.names.map((value) => ({ type: 'dns' as const, value }))
  const cert = await X509CertificateGenerator.create({
    subject: `CN=${wanted.names[0] ?? ''}`,
    issuer: issuer.subject,
    ...buildValidity(wanted.nowMs, CERTIFICATE_DAYS),
    publicKey: keys.publicKey,
    signingKey: await importKey(authority.key),
    signingAlgorithm: SIGNATURE_ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  })
  return { cert: cert.toString('pem'), key: await exportKey(keys.privateKey) }
}

/** True if the authority is limited to exactly these names. */
export function isLimitedTo(authority: Issued, names: readonly string[]): boolean {
  const found = new X509Certificate(authority.cert).getExtension(id_ce_nameConstraints)
  if (found === null) return false
  return Buffer.from(found.rawData).equals(Buffer.from(createNameConstraints(names).rawData))
}

function buildValidity(nowMs: number, days: number) {
  return {
    notBefore: new Date(nowMs - CLOCK_SKEW_MS),
    notAfter: new Date(nowMs + days * DAY_MS),
  }
}

function createNameConstraints(names: readonly string[]): Extension {
  const constraints = new NameConstraints({
    permittedSubtrees: createSubtrees(names.map((dNSName) => new GeneralName({ dNSName }))),
    excludedSubtrees: createSubtrees(ALL_IPS.map((iPAddress) => new GeneralName({ iPAddress }))),
  })
  return new Extension(id_ce_nameConstraints, true, AsnConvert.serialize(constraints))
}

function createSubtrees(names: readonly GeneralName[]): GeneralSubtrees {
  return new GeneralSubtrees(names.map((base) => new GeneralSubtree({ base })))
}

async function exportKey(key: CryptoKey): Promise<string> {
  return PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')
}

function importKey(pem: string): Promise<CryptoKey> {
  const der = PemConverter.decodeFirst(pem)
  return crypto.subtle.importKey('pkcs8', der, KEY_ALGORITHM, false, ['sign'])
}

import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import { isLoopback } from './loopback.ts'

/** A certificate with its chain and the private key, both as PEM. */
export interface ServerTls {
  readonly cert: string
  readonly key: string
}

interface TlsFiles {
  readonly TLS_CERT_FILE?: string | undefined
  readonly TLS_KEY_FILE?: string | undefined
}

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Throws if NODE_TLS_REJECT_UNAUTHORIZED makes Node.js accept every certificate. */
export function requireVerification(): void {
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return
  throw new Error('NODE_TLS_REJECT_UNAUTHORIZED=0 accepts every certificate: remove it')
}

/**
 * Returns the URLs if each service is on this machine or uses https. Otherwise throws an error with
 * a one-sentence message.
 */
export function requireHttps(name: string, urls: readonly string[]): readonly string[] {
  for (const url of urls) {
    const parsed = URL.parse(url)
    if (parsed === null) throw new Error(`${name} contains "${url}", which is not a URL`)
    if (parsed.protocol === 'https:') requireVerification()
    else if (parsed.protocol !== 'http:' || !isLoopback(parsed.hostname)) {
      throw new Error(
        `${name} names ${parsed.origin}, which is not this machine: use an https address, and ` +
          'TLS_CA_FILE unless a public authority issued its certificate',
      )
    }
  }
  return urls
}

/**
 * Reads the certificate of a server; null if no certificate is set. Throws an error with a
 * one-sentence message if the certificate cannot be used.
 */
export function readServerTls(files: TlsFiles): ServerTls | null {
  const { TLS_CERT_FILE: certFile = '', TLS_KEY_FILE: keyFile = '' } = files
  if (certFile === '' && keyFile === '') return null
  if (certFile === '' || keyFile === '') {
    throw new Error('TLS_CERT_FILE and TLS_KEY_FILE belong together: set both or none')
  }
  const pair = {
    cert: readTlsFile('TLS_CERT_FILE', certFile),
    key: readTlsFile('TLS_KEY_FILE', keyFile),
  }
  try {
    tls.createSecureContext(pair)
  } catch (error) {
    throw new Error('TLS_CERT_FILE and TLS_KEY_FILE must be a certificate and its key, in PEM', {
      cause: error,
    })
  }
  return pair
}

/** Returns the time at which the certificate of a server expires; null without a certificate. */
export function findCertificateEnd(serverTls: ServerTls | null): Date | null {
  return serverTls === null ? null : new X509Certificate(serverTls.cert).validToDate
}

/**
 * Throws an error with a one-sentence message if the server would accept unencrypted calls from
 * other machines.
 */
export function requireListenerTls(name: string, host: string, serverTls: ServerTls | null): void {
  if (serverTls !== null || isLoopback(host)) return
  throw new Error(
    `${name} is ${host}, which other machines reach: set TLS_CERT_FILE and TLS_KEY_FILE`,
  )
}

/**
 * Returns the certificates of the authorities in the file that TLS_CA_FILE names, each as a PEM
 * text. Returns an empty list if TLS_CA_FILE is not set.
 */
export function readAuthorities(file: string | undefined): readonly string[] {
  if (file === undefined || file === '') return []
  const authorities = readTlsFile('TLS_CA_FILE', file).match(PEM_CERTIFICATE) ?? []
  try {
    for (const pem of authorities) new X509Certificate(pem)
    if (authorities.length > 0) return authorities
  } catch {}
  throw new Error(`TLS_CA_FILE names ${file}, which contains no certificates in PEM`)
}

/** Makes all later TLS connections of this thread also trust these authorities. */
export function trustAuthorities(authorities: readonly string[]): void {
  if (authorities.length === 0) return
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), ...authorities])
}

function readTlsFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${name} names ${file}, which cannot be read`, { cause: error })
  }
}

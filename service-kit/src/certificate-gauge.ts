import type { Metrics } from './metrics.ts'
import { findCertificateEnd, type ServerTls } from './service-tls.ts'

type GaugeOptions = Parameters<Metrics['registerGauge']>[0]

/** Creates the gauge of the certificate of a server; null if the server has no certificate. */
export function createCertificateGauge(
  tls: ServerTls | null,
  now: () => number = Date.now,
): GaugeOptions | null {
  const end = findCertificateEnd(tls)
  if (end === null) return null
  return {
    name: 'cairn_certificate_left_seconds',
    help: 'Time until the certificate of this server expires, negative after that',
    read: () => Math.round((end.getTime() - now()) / 1_000),
  }
}

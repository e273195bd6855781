import { isLoopback } from '@cairn/service-kit/loopback'

/**
 * Every secret in the public repository contains this text, so that a public site can refuse such
 * secrets.
 */
const PUBLISHED = 'try-out-only'

/**
 * Returns the reasons why a site must not start on this public address; empty if it may start. A
 * loopback address is always allowed, because only this machine reaches it.
 */
export function findStartProblems(site: {
  publicUrl: string
  isDemo: boolean
  /** Secrets and connection strings, by the name of their environment variable. */
  secrets: Readonly<Record<string, string>>
}): readonly string[] {
  const { protocol, hostname } = new URL(site.publicUrl)
  // Browsers resolve names below localhost to this machine.
  if (isLoopback(hostname) || hostname.endsWith('.localhost')) return []
  const published = Object.entries(site.secrets).filter(([, value]) => value.includes(PUBLISHED))
  return [
    ...(site.isDemo
      ? ['DEMO=1 creates accounts with published passwords: set DEMO=0 for a public address']
      : []),
    ...(protocol === 'http:'
      ? ['PUBLIC_URL begins with http: sessions would travel unencrypted; use an https address']
      : []),
    ...published.map(([name]) => `${name} contains a published example value: set your own secret`),
  ]
}

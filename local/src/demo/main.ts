import { readAuthorities, requireHttps, trustAuthorities } from '@cairn/service-kit/service-tls'
import { loadDemo } from './load.ts'

/**
 * Returns an environment variable that describes the running platform. This program loads the demo
 * into that platform and does not start it.
 */
function readVariable(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set`)
  return value
}

if (process.env.DEMO === '0') process.exit(0)

const ledgerUrl = readVariable('LEDGER_URL')
requireHttps('LEDGER_URL', [ledgerUrl])
trustAuthorities(readAuthorities(process.env.TLS_CA_FILE))

await loadDemo({
  gatewayUrl: readVariable('GATEWAY_URL'),
  ledgerUrl,
  ledger: Number(process.env.LEDGER ?? 1),
  ledgerToken: readVariable('LEDGER_TOKEN'),
  gatewayDatabaseUrl: readVariable('GATEWAY_DATABASE_URL'),
  markerFile: process.env.DEMO_MARKER_FILE ?? null,
  log: (line) => process.stdout.write(`${line}\n`),
  signal: new AbortController().signal,
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './environment.ts'

const FOLDERS = [
  'service-kit',
  'ledger-service/src',
  'ledger-service/contracts/src',
  'api-gateway/src',
  'api-gateway/contracts/src',
  'migrations/src',
]

/**
 * All files of the services that call another machine, each with the called machine. Each address
 * comes from the environment, never from a request, a setting or the database. Database drivers are
 * not listed, because `service-kit/src/database-tls.ts` checks the addresses of databases.
 */
const CALLS: Readonly<Record<string, string>> = {
  'api-gateway/src/gateway.ts': 'LEDGER_URL and READY_URLS: whether other parts are ready',
  'api-gateway/src/platform/files/object-store.ts': 'S3_URL',
  'api-gateway/src/platform/jobs/worker-client.ts': 'WORKER_URLS',
  'api-gateway/src/platform/ledger-client/node-fetch.ts': 'LEDGER_URL',
  'api-gateway/src/platform/ledger-client/retrying-fetch.ts': 'LEDGER_URL',
  'api-gateway/src/platform/mail/mail-transports.ts': 'SMTP_URL',
  'api-gateway/contracts/src/client.ts': 'the client of the web, which calls its own origin',
  'ledger-service/contracts/src/client.ts': 'LEDGER_URL',
  'service-kit/src/check-health.ts': 'the health check of a container, which calls itself',
  'service-kit/src/tracing/otlp-tracer.ts': 'OTEL_EXPORTER_OTLP_ENDPOINT',
}

/** The global `fetch`, the clients of Node.js, and the packages that open connections. */
const OUTGOING =
  /(?<![\w.])fetch\(|globalThis\.fetch|(?<!\w)(?:https?|net|tls|dgram)\.(?:request|get|connect|createConnection)\b(?!\.)|import \{[^}]*\b(?:request|get|connect|createConnection|createSocket)\b[^}]*\} from 'node:(?:https?|net|tls|dgram)'|import \{[^}]*\} from '(?:nodemailer|s3mini|undici|@opentelemetry\/exporter-[\w-]+)'/

function isCalling(text: string): boolean {
  // Comments are removed first, because a comment may mention a call.
  return OUTGOING.test(text.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, ''))
}

test('the services call other machines from these files only', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .map((name) => `${folder}/${String(name)}`)
      .filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.includes('node_modules')),
  )
  expect(files.length).toBeGreaterThan(300)
  const calling = files.filter((file) => isCalling(readFileSync(join(ROOT, file), 'utf8')))
  expect(calling.toSorted()).toEqual(Object.keys(CALLS).toSorted())
})

test.each([
  'const logo = await fetch(settings.logoUrl)',
  "import { get } from 'node:https'",
  'net.connect(port, host)',
  'const send = https.request',
  'const { answer } = await globalThis.fetch(url)',
  "import { createTransport } from 'nodemailer'",
  "import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'",
])('sabotaged twin: a new call is found: %s', (line) => {
  expect(isCalling(`const first = 1\n${line}\n`)).toBe(true)
})

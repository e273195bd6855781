import { parseArgs } from 'node:util'
import { readSecretFiles } from '@cairn/service-kit/secret-files'
import { createSecrets, writeSecrets } from './secrets.ts'

const USAGE = `Usage: node local/src/packaging/create-secrets.ts [--signing-key] FOLDER
Writes the secrets of a new installation into FOLDER/PROCESS/VARIABLE. Reads DATABASE_URL (an account
that may create roles) and SMTP_URL, or the files that DATABASE_URL_FILE and SMTP_URL_FILE name.
  --signing-key   also creates the signing key, for several ledger services`

try {
  const options = { 'signing-key': { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const { DATABASE_URL: databaseUrl = '', SMTP_URL: smtpUrl = '' } = readSecretFiles(process.env)
  const [folder, ...rest] = positionals
  if (folder === undefined || rest.length > 0) throw new Error(USAGE)
  for (const [name, url] of Object.entries({ DATABASE_URL: databaseUrl, SMTP_URL: smtpUrl })) {
    if (!URL.canParse(url)) throw new Error(`${name} must be a URL\n${USAGE}`)
  }
  writeSecrets(
    folder,
    createSecrets({ databaseUrl, smtpUrl, hasSigningKey: values['signing-key'] }),
  )
  process.stdout.write(`The secrets are in ${folder}. Keep a copy in a safe place.\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

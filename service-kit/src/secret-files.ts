import { readFileSync } from 'node:fs'

/** The variables whose value is a secret, or contains one. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'ROLE_PASSWORDS',
  'LEDGER_DATABASE_URL',
  'LEDGER_READ_URL',
  'LEDGER_WORKER_DATABASE_URL',
  'GATEWAY_DATABASE_URL',
  'GATEWAY_WORKER_DATABASE_URL',
  'SERVICE_TOKEN',
  'CALLER_TOKENS',
  'SMTP_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'EXPORT_PASSPHRASE',
] as const

type Environment = Record<string, string | undefined>

/**
 * Returns the environment with the secrets that are in files. If `NAME_FILE` is set for a secret
 * variable `NAME`, the content of this file becomes the value of `NAME`, without space around it,
 * and `NAME_FILE` is removed. Container platforms pass secrets as files, because other processes can
 * read an environment. Throws if both variables are set, or if the file cannot be read or is empty.
 */
export function readSecretFiles(environment: Environment): Environment {
  const read = { ...environment }
  for (const name of SECRET_VARIABLES) {
    const variable = `${name}_FILE`
    const file = read[variable] ?? ''
    delete read[variable]
    if (file === '') continue
    if ((read[name] ?? '') !== '') throw new Error(`set ${name} or ${variable}, not both`)
    read[name] = readSecretFile(variable, file)
  }
  return read
}

/** Reads one secret. `variable` is the setting that names the file. */
export function readSecretFile(variable: string, file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new Error(`${variable} names ${file}, which cannot be read (${code})`)
  }
  if (text === '') throw new Error(`${variable} names ${file}, which is empty`)
  return text
}

import { readSecretFiles } from '@cairn/service-kit/secret-files'

const LENGTH_MIN = 16

/**
 * Reads the passphrase of an archive from the environment or from a file. An argument would be
 * visible to all users of the machine.
 */
export function readPassphrase(environment: NodeJS.ProcessEnv): string {
  const text = readSecretFiles(environment).EXPORT_PASSPHRASE ?? ''
  if (text.length >= LENGTH_MIN) return text
  throw new Error(
    `set EXPORT_PASSPHRASE_FILE to a file with the passphrase of the archive, at least ${LENGTH_MIN} ` +
      'characters: the archive contains all secrets of the installation',
  )
}

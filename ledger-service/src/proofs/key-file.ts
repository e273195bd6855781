import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '@cairn/service-kit/durable-file'
import type { CheckpointPlace } from './checkpoint-file.ts'

/**
 * Returns the path of the file with the keys of a ledger. The file contains the first verifier key
 * and the handovers, one a line, as `openKeys` takes them. Like the checkpoints, the file is
 * outside of the database. If the database loses the event of a new key, the file shows this loss.
 */
export function getKeyFile({ folder, ledger }: CheckpointPlace): string {
  return join(folder, `ledger-${ledger}-keys.txt`)
}

/** Returns the lines of the file; no lines if it does not exist. */
export async function readKeyFile(place: CheckpointPlace): Promise<readonly string[]> {
  const text = await readFile(getKeyFile(place), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  return text.split('\n').filter((line) => line !== '')
}

/** Replaces the file, so that a reader never finds an incomplete line. */
export async function writeKeyFile(
  place: CheckpointPlace,
  lines: readonly string[],
): Promise<void> {
  const { folder } = place
  await mkdir(folder, { recursive: true })
  await replaceFile(getKeyFile(place), `${lines.join('\n')}\n`)
}

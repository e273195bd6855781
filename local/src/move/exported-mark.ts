import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '@cairn/service-kit/durable-file'
import { writeDurably } from '../backup/durable-files.ts'

const getMarkPath = (dataDir: string): string => join(dataDir, 'exported')

/** Marks an installation that must not run, because it continues elsewhere. */
export async function markExported(dataDir: string, file: string): Promise<void> {
  await writeDurably(getMarkPath(dataDir), `${file} at ${new Date().toISOString()}\n`)
}

export const isExported = (dataDir: string): boolean => existsSync(getMarkPath(dataDir))

export async function removeExportedMark(dataDir: string): Promise<void> {
  await rm(getMarkPath(dataDir), { force: true })
  await syncFolder(dataDir)
}

/**
 * Throws if the installation of this data directory was exported. Two installations that continue
 * one log would sign two histories with one key.
 */
export function requireNotExported(dataDir: string): void {
  if (!isExported(dataDir)) return
  const what = readFileSync(getMarkPath(dataDir), 'utf8').trim()
  throw new Error(
    `the installation in ${dataDir} was exported to ${what} and must not run here any more. ` +
      'If the archive was imported nowhere: npm run export -- --undo',
  )
}

import { existsSync, readdirSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseCommand } from '@cairn/ledger-contracts'
import type { GoldenFiles, Step } from './golden-ledger.ts'

/** The form of the name of a folder with a golden log. */
const GOLDEN_NAME = /^schema-\d+(-[a-z-]+)?$/
export const COMMANDS_FILE = 'commands.jsonl'

/** Lists the folders with golden logs, the oldest schema first. */
export function listGoldenFolders(): readonly string[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => GOLDEN_NAME.test(name))
    .toSorted()
    .map((name) => join(import.meta.dirname, name))
}

/** Returns the folder of a new golden log. Throws if the name is not valid or in use. */
export function chooseGoldenFolder(name: string): string {
  const folder = join(import.meta.dirname, name)
  if (!GOLDEN_NAME.test(name)) throw new Error(`${name} must have the form schema-4-subject`)
  if (existsSync(folder)) throw new Error(`${name} exists: a golden log never changes`)
  return folder
}

/** Reads the steps that made the golden log of the folder. */
export async function readSteps(folder: string): Promise<readonly Step[]> {
  const text = await readFile(join(folder, COMMANDS_FILE), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { atMs, commands } = JSON.parse(line)
      return { atMs, commands: commands.map(parseCommand) }
    })
}

/** Reads the files of the golden log of the folder, except the commands. */
export async function readGoldenFiles(folder: string): Promise<GoldenFiles> {
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.includes('.') && name !== COMMANDS_FILE,
  )
  return new Map(
    await Promise.all(
      names.map(async (name) => {
        return [name, await readFile(join(folder, name), 'utf8')] as const
      }),
    ),
  )
}

const CONTEXT_BYTES = 24

/**
 * Compares the files byte by byte. Returns one sentence for each line that differs. The sentence
 * states the first byte that differs.
 */
export function listDifferences(expected: GoldenFiles, actual: GoldenFiles): readonly string[] {
  const names = [...new Set([...expected.keys(), ...actual.keys()])].toSorted()
  return names.flatMap((name) => {
    const [wanted, given] = [expected.get(name), actual.get(name)]
    if (wanted === undefined) return [`${name} is not committed`]
    if (given === undefined) return [`${name} is not produced`]
    return listChangedLines(name, { wanted, given })
  })
}

function listChangedLines(
  name: string,
  { wanted, given }: { wanted: string; given: string },
): readonly string[] {
  const [before, after] = [wanted.split('\n'), given.split('\n')]
  return Array.from({ length: Math.max(before.length, after.length) }).flatMap((_, index) => {
    const [old, now] = [before[index], after[index]]
    if (old === now) return []
    const line = `${name}, line ${index + 1}`
    if (old === undefined) return [`${line} is new`]
    if (now === undefined) return [`${line} is missing`]
    const at = findFirstDifference(Buffer.from(old), Buffer.from(now))
    return [`${line}, byte ${at}: ${extractExcerpt(old, at)} has become ${extractExcerpt(now, at)}`]
  })
}

function findFirstDifference(one: Buffer, other: Buffer): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  return at
}

function extractExcerpt(line: string, at: number): string {
  const bytes = Buffer.from(line)
  const from = Math.max(0, at - CONTEXT_BYTES)
  return JSON.stringify(bytes.subarray(from, at + CONTEXT_BYTES).toString('utf8'))
}

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseCommand } from '@cairn/ledger-contracts'
import type { GoldenFiles, Step } from './golden-ledger.ts'

export const GOLDEN_FOLDER = join(import.meta.dirname, 'schema-4')
export const COMMANDS_FILE = 'commands.jsonl'

/** Reads the steps that made the golden log. */
export async function readSteps(): Promise<readonly Step[]> {
  const text = await readFile(join(GOLDEN_FOLDER, COMMANDS_FILE), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { atMs, commands } = JSON.parse(line)
      return { atMs, commands: commands.map(parseCommand) }
    })
}

/** Reads the files of the golden log, except the commands. */
export async function readGoldenFiles(): Promise<GoldenFiles> {
  const names = (await readdir(GOLDEN_FOLDER, { recursive: true })).filter(
    (name) => name.includes('.') && name !== COMMANDS_FILE,
  )
  return new Map(
    await Promise.all(
      names.map(async (name) => {
        return [name, await readFile(join(GOLDEN_FOLDER, name), 'utf8')] as const
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

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readLines } from './line-bytes.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-lines-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function readAllLines(text: string, maxBytes = 1_000_000): Promise<readonly string[]> {
  const file = join(folder, 'lines')
  await writeFile(file, text)
  const lines: string[] = []
  for await (const line of readLines(file, { maxBytes })) lines.push(line.toString('utf8'))
  return lines
}

test('only byte 0x0A ends a line', async () => {
  const lines = ['{"a":"\u2028\u2029\u0085\u000b\u000c"}', '', 'x', '\u2028']
  expect(await readAllLines(`${lines.join('\n')}\n`)).toEqual(lines)
  expect(await readAllLines(lines.join('\n'))).toEqual(lines)
  expect(await readAllLines(lines.join('\r\n'))).toEqual(lines)
  expect(await readAllLines('')).toEqual([])
})

test('a line may be longer than a chunk of the file, up to the limit', async () => {
  const long = 'é'.repeat(100_000)
  expect(await readAllLines(`a\n${long}\nb`)).toEqual(['a', long, 'b'])
  await expect(readAllLines(`a\n${long}\nb`, 150_000)).rejects.toThrow('longer than 150000 bytes')
})

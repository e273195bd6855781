import { readFileSync, writeFileSync } from 'node:fs'

/** A seed that failed once. These seeds run first. */
export interface FailingSeed {
  seed: number
  commands: number
  found: string
}

const FILE = new URL('./failing-seeds.json', import.meta.url)

export function readFailingSeeds(): readonly FailingSeed[] {
  return JSON.parse(readFileSync(FILE, 'utf8'))
}

export function storeFailingSeed(failing: FailingSeed): void {
  const known = readFailingSeeds()
  if (known.some(({ seed, commands }) => seed === failing.seed && commands === failing.commands)) {
    return
  }
  const lines = [...known, failing].map((item) => `  ${JSON.stringify(item)}`)
  writeFileSync(FILE, `[\n${lines.join(',\n')}\n]\n`)
}

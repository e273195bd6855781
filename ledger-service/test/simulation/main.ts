import { parseArgs } from 'node:util'
import { readFailingSeeds, storeFailingSeed } from './failing-seeds.ts'
import { COMMANDS_PER_SEED, simulate } from './simulation.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    commands: { type: 'string', default: String(COMMANDS_PER_SEED) },
  },
})
const [seeds, from, commands] = [values.seeds, values.from, values.commands].map(parseWholeNumber)
const began = performance.now()
const total = { run: 0, failed: 0, commands: 0, events: 0 }

for (const known of readFailingSeeds()) await runSeed(known.seed, known.commands)
for (let seed = from ?? 1; seed < (from ?? 1) + (seeds ?? 0); seed += 1) {
  await runSeed(seed, commands ?? COMMANDS_PER_SEED)
  if (seed % 250 === 0) printLine(`seed ${seed}: ${total.failed} of ${total.run} failed`)
}
const seconds = ((performance.now() - began) / 1000).toFixed(1)
printLine(
  `${total.run} seeds, ${total.commands} commands, ${total.events} events in ${seconds} s: ` +
    `${total.failed} failed`,
)
process.exit(total.failed === 0 ? 0 : 1)

async function runSeed(seed: number, count: number): Promise<void> {
  const outcome = await simulate(seed, { commands: count })
  total.run += 1
  total.commands += outcome.commands
  total.events += outcome.events
  const [violation] = outcome.violations
  if (violation === undefined) return
  total.failed += 1
  printLine(`seed ${seed} with ${count} commands: ${outcome.violations.join('; ')}`)
  storeFailingSeed({ seed, commands: count, found: violation })
}

function parseWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${text} is not a whole number`)
  return Number(text)
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

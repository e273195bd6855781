import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findPrograms } from './failover/programs.ts'
import { type FailoverRun, runFailover } from './failover/run.ts'
import { runSabotage } from './failover/sabotage.ts'
import { findAccount } from './postgres-user.ts'

// `ops/ha/test.sh` runs this program. The program deletes all its files at the end. If a check
// fails or --keep is given, it keeps the logs of all processes and prints their folder.

const USAGE = `Usage: ops/ha/test.sh [options]

  --rounds <number> (20)    kill, pause and cut off the primary in turn, so many times
  --clients <number> (8)    clients that make payments at the same time
  --sabotage                confirm commits without a standby, and expect that a kill loses payments
  --keep                    keep the folder with the logs

Exit code 0: nothing was lost, doubled or too slow; with --sabotage: the loss was found. 1: a check
failed. 2: the test could not run.`

const { values } = readOptions()
if (values.help) {
  print(USAGE)
} else {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopping.abort(new Error(`stopped by ${signal}`)))
  }
  // After an abort, a round of the test can still wait for an answer and would keep the process
  // alive. The process therefore exits here.
  process.exit(await run(stopping.signal))
}

async function run(signal: AbortSignal): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'cairn-failover-'))
  let isKept = values.keep
  try {
    const wanted: FailoverRun = {
      folder,
      programs: findPrograms(),
      account: findAccount(),
      clients: parseWholeNumber('--clients', values.clients),
      print,
      signal,
    }
    const rounds = parseWholeNumber('--rounds', values.rounds)
    const isPassed = await (values.sabotage ? runSabotage(wanted) : runFailover(wanted, rounds))
    isKept ||= !isPassed
    return isPassed ? 0 : 1
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    isKept = true
    return 2
  } finally {
    if (isKept) print(`the logs are in ${folder}`)
    else await rm(folder, { recursive: true, force: true })
  }
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        rounds: { type: 'string', default: '20' },
        clients: { type: 'string', default: '8' },
        sabotage: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`)
    return process.exit(2)
  }
}

function parseWholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new Error(`${name} takes a whole number from 1 to 9999, not "${text}"`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

import { parseArgs } from 'node:util'
import { ProofError } from '@cairn/ledger-contracts/proof'
import { readSecretFiles } from '@cairn/service-kit/secret-files'
import { parseLedgerNumber, requireAccepted, requireLedger } from './cli/accepted.ts'
import { offline, online, UsageError } from './cli/commands.ts'
import { chooseDatabaseUrl } from './cli/database-url.ts'
import { createOutput } from './cli/output.ts'
import { stopped } from './cli/replace-keys.ts'
import { createPool } from './service/database/pool.ts'

const USAGE = `Usage: npm run ledger -- <command> [options]

  verify [--since <size>]   compare events, postings, balances and checkpoints with each other, and
                            list what was not checked; --since continues from the state of the last
                            verification without a difference, if this state has at most <size>
                            events; the state is beside the checkpoints (LEDGER_CHECKPOINT_DIR)
  verify --audit <file>     compare an audit log exported by the site with its seals in the log
  rebuild [--repair]        compute every projection from the log and compare;
                            --repair corrects the differences (needs the owner's database account)
  checkpoint                the newest signed checkpoint and the verifier keys
  find <external id>        the events of commands with this id of another system
  prove <seq>               the receipt of an event, a .tlog-proof file
  verify-receipt <file>     --key <verifier key>, or a successor; needs no database
  export <file>             the whole log, verifiable offline
  verify-export <file>      [--key <verifier key>]; needs no database
  trial-balance             [--at <time>] [--seq <event>]
  trial-balance --month <m> the signed trial balance of an ended month such as 2026-10, compared
                            with the log
  balance <account>         [--at <time>] [--seq <event>] [--effective <time>]
                            --at and --seq select recorded events, --effective also limits the effective time
  activate-model            let the newest version of the rules that this program knows decide from
                            now on; refused while an instance of an older program is connected
  import-balances <file>    [--dry-run]; record the opening balances in a CSV file, each line as an
                            event (docs/opening-balances.md); the ledger must be stopped
  rotate-signing-key        sign with a new key from now on, also while the ledger runs
  move                      --to <place>: move the ledger to another place of LEDGER_DIRECTORY while the
                            services run; with its present place, undo an interrupted move
  declare-fork              --reason <text> [--from <file>]; continue from a restored older state, and
                            list the lost events that an export or a receipt in <file> proves; the
                            ledger must be stopped

  --ledger <number> (1)     --json

Exit code 0: no problem was found. 1: a comparison failed. 2: the command could not run.`

try {
  process.exitCode = (await run(process.argv.slice(2))) ? 0 : 1
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${message}\n`)
  process.exitCode = error instanceof ProofError ? 1 : 2
}

async function run(args: readonly string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ledger: { type: 'string' },
      at: { type: 'string' },
      seq: { type: 'string' },
      effective: { type: 'string' },
      month: { type: 'string' },
      since: { type: 'string' },
      audit: { type: 'string' },
      key: { type: 'string', multiple: true },
      reason: { type: 'string' },
      to: { type: 'string' },
      from: { type: 'string', multiple: true },
      repair: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      json: { type: 'boolean' },
    },
  })
  const [command = '', argument = null, ...rest] = positionals
  if (rest.length > 0) throw new UsageError(USAGE)
  requireAccepted(command, { argument, options: Object.keys(values) })
  const asked = {
    ledger: parseLedgerNumber(values.ledger ?? '1'),
    argument,
    at: values.at ?? null,
    seq: values.seq ?? null,
    effective: values.effective ?? null,
    since: values.since ?? null,
    stateFolder: process.env.LEDGER_CHECKPOINT_DIR ?? null,
    audit: values.audit ?? null,
    month: values.month ?? null,
    keys: values.key ?? [],
    reason: values.reason ?? null,
    to: values.to ?? null,
    from: values.from ?? [],
    isRepairing: values.repair ?? false,
    isDryRun: values['dry-run'] ?? false,
    output: createOutput({ isJson: values.json ?? false }),
  }
  const alone = offline[command] ?? stopped[command]
  if (alone !== undefined) return alone(asked)
  const asking = online[command]
  if (asking === undefined) throw new UsageError(USAGE)

  const url = chooseDatabaseUrl(readSecretFiles(process.env), asked.ledger)
  const pool = createPool({ url, max: 2, name: 'ledger-cli' })
  try {
    await requireLedger(pool, asked.ledger)
    return await asking(asked, pool)
  } finally {
    await pool.end()
  }
}

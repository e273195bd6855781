import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { citusBench } from './citus.ts'
import { formatShares } from './cpu.ts'
import { httpBench } from './http.ts'
import { linkedTransferBench } from './linked-transfers.ts'
import { citusManyLedgersBench, manyLedgersBench } from './many.ts'
import { mixBench } from './mix.ts'
import { measureOtherLoad } from './quiet.ts'
import { createFailedRow, type Row } from './row.ts'
import { scaleBench } from './scale.ts'
import { startBenchServer } from './server.ts'
import { transferBench } from './transfers.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    only: { type: 'string' },
    large: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '4' },
  },
})
const seconds = Number(values.seconds)
if (!(seconds > 0)) throw new Error('--seconds requires a number above 0')

const benches = [
  transferBench,
  linkedTransferBench,
  mixBench,
  httpBench,
  scaleBench,
  manyLedgersBench,
  citusBench,
  citusManyLedgersBench,
].filter(({ title }) => values.only === undefined || title.includes(values.only))
if (benches.length === 0) throw new Error(`there is no benchmark named${values.only}`)
const isLarge = values.large || seconds >= 30

const server = await startBenchServer()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // The server has its own process group, so a signal to this process does not reach the server.
  process.once(signal, () => server.stop().finally(() => process.exit(130)))
}
print(`PostgreSQL ${server.version}, fsync and synchronous_commit on; ${cpus()[0]?.model}`)
print(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, ${seconds} s a measurement`)
const rows: Row[] = []
for (const { title, run } of benches) {
  const busy = await measureOtherLoad()
  if (busy > 0.5)
    print(`     other processes use ${busy.toFixed(1)} of the cores: the rates below are too low`)
  await run(server, { seconds, isLarge, report }).catch((error: unknown) => {
    const problem = error instanceof Error ? error.message : String(error)
    report([createFailedRow({ name: title, unit: '', bar: 1, problem })])
  })
}
await server.stop()
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`)
process.exit(rows.every(isReached) ? 0 : 1)

function report(measured: readonly Row[]): void {
  for (const row of measured) print(formatRow(row))
  rows.push(...measured)
}

function isReached({ ratio, bar }: Row): boolean {
  return ratio !== null && ratio >= bar
}

function formatRow(row: Row): string {
  const mark = isReached(row) ? 'ok  ' : 'MISS'
  if (row.problem !== null) return `${mark} ${row.name}: ${row.problem}`
  const value = `${formatNumber(row.value)} ${row.unit}`
  const baseline = `${formatNumber(row.baselineValue)} (${row.baseline})`
  const ratio = `${formatNumber(row.ratio)}x, bar ${row.bar}x`
  return `${mark} ${row.name}: ${value} against ${baseline} = ${ratio}${formatDetails(row)}`
}

function formatDetails(row: Row): string {
  const latency = formatPair([row.p99Ms, row.baselineP99Ms], 'ms p99')
  const bytes = formatPair([row.bytesPerEvent, row.baselineBytesPerEvent], 'bytes an event')
  const cpu = row.shares === undefined ? '' : `cores: ${formatShares(row.shares)}`
  const details = [latency, bytes, cpu].filter((text) => text !== '')
  return details.length === 0 ? '' : ` (${details.join('; ')})`
}

function formatPair([own, baseline]: readonly (number | undefined)[], unit: string): string {
  if (own === undefined) return ''
  const against = baseline === undefined ? '' : ` against ${formatNumber(baseline)}`
  return `${formatNumber(own)}${against} ${unit}`
}

function formatNumber(value: number | null): string {
  if (value === null) return 'none'
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toFixed(2)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

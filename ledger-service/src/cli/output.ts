/**
 * Writes results to standard output and progress to standard error, so that a pipe receives only
 * results.
 */
export interface Output {
  printProgress(done: bigint, of: bigint): void
  /** Prints the lines or, with --json, the value. */
  printResult(value: object, lines: readonly string[]): void
}

const BAR_WIDTH = 30

export function createOutput({ isJson }: { isJson: boolean }): Output {
  const isWatched = process.stderr.isTTY === true
  return {
    printProgress: (done, of) => {
      if (!isWatched) return
      const share = of === 0n ? 1 : Number((done * 1_000n) / of) / 1_000
      const full = Math.round(share * BAR_WIDTH)
      const bar = '#'.repeat(full).padEnd(BAR_WIDTH, '.')
      process.stderr.write(`\r[${bar}] ${done} of ${of}${share === 1 ? '\n' : ''}`)
    },
    printResult: (value, lines) => {
      const text = isJson ? JSON.stringify(value, toPlainValue, 2) : lines.join('\n')
      process.stdout.write(`${text}\n`)
    },
  }
}

function toPlainValue(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  return value instanceof Map ? Object.fromEntries(value) : value
}

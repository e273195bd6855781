/** A result in the format of the ledger's benchmarks. A higher ratio is better. */
export interface Row {
  name: string
  unit: string
  value: number
  baseline: string
  baselineValue: number
  ratio: number
  bar: number
}

/** Creates a row whose value must be at most `ceiling`. */
export function createCeilingRow(figure: {
  name: string
  unit: string
  value: number
  ceiling: number
}): Row {
  const { name, unit, value } = figure
  const against = { baseline: 'ceiling', baselineValue: figure.ceiling }
  return { name, unit, value, ...against, ratio: figure.ceiling / value, bar: 1 }
}

/** Creates a row whose value must be at least `floor`. */
export function createFloorRow(figure: {
  name: string
  unit: string
  value: number
  floor: number
}): Row {
  const { name, unit, value } = figure
  const against = { baseline: 'floor', baselineValue: figure.floor }
  return { name, unit, value, ...against, ratio: value / figure.floor, bar: 1 }
}

export function isBarReached({ ratio, bar }: Row): boolean {
  return ratio >= bar
}

export function printRow(row: Row): void {
  const { name, unit, value, baseline, baselineValue, ratio, bar } = row
  const mark = isBarReached(row) ? 'ok  ' : 'MISS'
  process.stdout.write(
    `${mark} ${name}: ${value.toFixed(1)} ${unit} against ${baselineValue.toFixed(1)} (${baseline}) = ${ratio.toFixed(2)}x, bar ${bar}x\n`,
  )
}

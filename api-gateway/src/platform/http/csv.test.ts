import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createCsvAnswer } from './csv.ts'

async function writeCell(value: string): Promise<string> {
  async function* listRows() {
    yield value
  }
  const columns = { Cell: (row: string) => row }
  const { bytes } = createCsvAnswer({ fileName: 'cells.csv', columns, rows: listRows() })
  if (Buffer.isBuffer(bytes)) throw new Error('the answer is a stream')
  const [, cell = ''] = (await text(bytes)).split('\n')
  return cell
}

test.each(['-1', '-12.5', '-12.50', '-0.00012345', '-1000000', '12.50'])(
  'the amount %s stays a number',
  async (amount) => {
    expect(await writeCell(amount)).toBe(amount)
  },
)

test.each(['-', '-1+2', '-1.', '-.5', '-1.2.3', '-1e3', '-a', '=1', '+1', '@a'])(
  'the text %s is escaped',
  async (value) => {
    expect(await writeCell(value)).toBe(`'${value}`)
  },
)

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findDecimalSign, readAmount } from './amounts.ts'
import { guessColumns } from './columns.ts'
import { findDayOrder, readDay } from './days.ts'
import { readStatement } from './read-statement.ts'
import { splitReference } from './reference-words.ts'

const read = (text: string, columns = {}) => readStatement(Buffer.from(text), columns)

describe('a statement', () => {
  test('with signed amounts, balances and the newest line first is parsed', () => {
    const { problem, lines, openingMinor, closingMinor, columns } = read(
      'Date,Description,Amount,Balance\n' +
        '2026-11-03,"RENT, OFFICE",-100.00,1150.50\n' +
        '2026-11-02,DEPOSIT 7XK2M9QWPT4V0A1C,250.50,1250.50\n',
    )
    expect(problem).toBeNull()
    expect(columns).toEqual({ date: 0, reference: 1, amount: 2, balance: 3 })
    expect(lines.map(({ day, amountMinor }) => [day, amountMinor])).toEqual([
      ['2026-11-02', 25050n],
      ['2026-11-03', -10000n],
    ])
    expect(lines[0]?.words).toContain('7XK2M9QWPT4V0A1C')
    expect([openingMinor, closingMinor]).toEqual([100000n, 115050n])
  })

  test('of another bank is parsed: a preamble, semicolons, decimal commas, two columns, a total below', () => {
    const { problem, lines, closingMinor } = read(
      '\uFEFFKonto;DE12 3456\nZeitraum;November\n\n' +
        'Buchungstag;Verwendungszweck;Soll;Haben;Saldo\n' +
        '02.11.2026;Einzahlung;;1.250,50;1.250,50\n' +
        '03.11.2026;Miete;100,00;;1.150,50\n' +
        ';Summe;100,00;1.250,50;\n',
    )
    expect(problem).toBeNull()
    expect(lines.map(({ amountMinor }) => amountMinor)).toEqual([125050n, -10000n])
    expect(closingMinor).toBe(115050n)
  })

  test('without headings is parsed after its columns are named', () => {
    const text = '2026-11-02,lunch,-12.00\n2026-11-03,pay,20.00\n'
    expect(read(text).problem).toBe('Choose the columns of the date and the amount')
    const { problem, lines } = read(text, { date: 0, reference: 1, amount: 2 })
    expect(problem).toBeNull()
    expect(lines).toHaveLength(2)
  })

  test('whose balances do not follow from each other is refused, unless its balances are left out', () => {
    const text = 'Date,Amount,Balance\n2026-11-02,10.00,10.00\n2026-11-03,5.00,99.00\n'
    expect(read(text).problem).toContain('Row 3: the balance does not follow')
    const { problem, closingMinor } = read(text, { date: 0, amount: 1 })
    expect([problem, closingMinor]).toEqual([null, null])
  })

  test('of one day is ordered by its balances', () => {
    const text = 'Date,Amount,Balance\n2026-11-02,5.00,15.00\n2026-11-02,10.00,10.00\n'
    expect(read(text)).toMatchObject({ problem: null, openingMinor: 0n, closingMinor: 1500n })
  })

  test('that is not sorted by its date has the days from the smallest to the largest', () => {
    const rows =
      '2026-11-20,1.00,b\n2026-11-03,2.00,a\n2026-11-20,4.00,c\n2026-11-25,3.00,d\n2026-11-24,5.00,e\n'
    const { problem, lines } = read(`Date,Amount,Text\n${rows}`)
    expect(problem).toBeNull()
    expect(lines.map(({ day, reference }) => [day, reference])).toEqual([
      ['2026-11-03', 'a'],
      ['2026-11-20', 'b'],
      ['2026-11-20', 'c'],
      ['2026-11-24', 'e'],
      ['2026-11-25', 'd'],
    ])
    const newestFirst = read(
      'Date,Amount,Text\n2026-11-20,1.00,c\n2026-11-20,2.00,b\n2026-11-03,3.00,a\n',
    )
    expect(newestFirst.lines.map(({ reference }) => reference)).toEqual(['a', 'b', 'c'])
  })

  test('that is not sorted by its date is refused with its balances, and accepted without', () => {
    const text =
      'Booked,Value,Amount,Balance\n2026-11-02,2026-11-02,10.00,110.00\n' +
      '2026-11-03,2026-10-30,5.00,115.00\n2026-11-04,2026-11-04,-15.00,100.00\n'
    const sorted = read(text, { date: 0, amount: 2, balance: 3 })
    expect(sorted).toMatchObject({ problem: null, openingMinor: 10000n, closingMinor: 10000n })
    const reversed = `${text.split('\n', 1)[0]}\n${text.trim().split('\n').slice(1).toReversed().join('\n')}\n`
    for (const [file, row] of [
      [text, 3],
      [reversed, 4],
    ] as const) {
      const byValue = read(file, { date: 1, amount: 2, balance: 3 })
      expect(byValue.problem).toContain(`Row ${row}: the file is not sorted by this date`)
      expect([byValue.openingMinor, byValue.closingMinor]).toEqual([null, null])
    }
    const { problem, lines } = read(text, { date: 1, amount: 2 })
    expect(problem).toBeNull()
    expect([lines[0]?.day, lines.at(-1)?.day]).toEqual(['2026-10-30', '2026-11-04'])
  })

  test('names the row that cannot be parsed, and asks about ambiguous formats', () => {
    const head = 'Date,Amount\n'
    expect(read(`${head}2026-02-30,1.00\n`).problem).toBe('Row 2: “2026-02-30” is not a valid date')
    expect(read(`${head}2026-02-03,many\n`).problem).toBe('Row 2: “many” is not a valid amount')
    expect(read(`${head}2026-02-03,"1,50"\n2026-02-03,1.50\n`).problem).toContain('decimal comma')
    expect(read(`${head}13/02/2026,1\n02/13/2026,1\n`).problem).toContain('begin with the day')
    const open = read(`${head}03/04/2026,1.00\n`)
    expect(open).toMatchObject({ isDayOrderOpen: true, problem: expect.stringContaining('03/04') })
    const columns = { date: 0, amount: 1, dayOrder: 'month-first' as const }
    expect(read(`${head}03/04/2026,1.00\n`, columns).lines[0]?.day).toBe('2026-03-04')
  })
})

describe('a file that is not a statement', () => {
  test('is refused with a message', () => {
    expect(read('').problem).toContain('Choose the columns')
    expect(readStatement(Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), {}).problem).toContain(
      'export it as',
    )
    expect(read('Date,Amount\n"2026-11-02,1.00\n').problem).toContain('cannot be read as CSV')
    expect(read(`Date,Amount\n${'2026-11-02,1.00\n'.repeat(5_001)}`).problem).toContain('at most')
    expect(read(`Date,Amount\n${'2026-11-02,1.00\n'.repeat(9_000)}`).problem).toContain('more than')
    expect(read(`Date,Amount\n2026-11-02,${'9'.repeat(9_000)}\n`).problem).toContain(
      'cannot be read',
    )
    expect(read(`Date,Amount\n2026-11-02,${'9'.repeat(30)}\n`).problem).toContain(
      'is not a valid amount',
    )
  })

  test('never throws', () => {
    const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array))
    const rows = fc.array(fc.array(fc.string({ maxLength: 12 }), { maxLength: 6 }), {
      maxLength: 8,
    })
    const text = rows.map((cells) => Buffer.from(cells.map((row) => row.join(',')).join('\n')))
    fc.assert(
      fc.property(fc.oneof(bytes, text), fc.nat(5), (file, date) => {
        const { lines, problem } = readStatement(file, { date, amount: (date + 1) % 6 })
        return lines.length > 0 || problem !== null
      }),
    )
  })
})

describe('cells', () => {
  test('formulas, control characters and unpaired surrogates become plain text', () => {
    const cell = '=HYPERLINK(""http://evil"",""pay"") \u202Eevil\u0007 x\u200By'
    const { lines } = read(`Date,Amount,Reference\n2026-11-02,1.00,"${cell}"\n`)
    expect(lines[0]?.reference).toBe('=HYPERLINK("http://evil","pay") evil x y')
  })

  test('quotes inside a cell are kept', () => {
    const { problem, lines } = read('Date,Amount,Text\n2026-11-02,1.00,=LINK("http://evil") x\n')
    expect([problem, lines[0]?.reference]).toEqual([null, '=LINK("http://evil") x'])
  })

  test('are decoded from UTF-16 and from Windows-1252', () => {
    const utf16 = Buffer.from('\uFEFFDate\tAmount\tText\n2026-11-02\t1.00\tMüller\n', 'utf16le')
    expect(readStatement(utf16, {}).lines[0]?.reference).toBe('Müller')
    const western = Buffer.from('Date;Amount;Text\n2026-11-02;1.00;Müller\n', 'latin1')
    expect(readStatement(western, {}).lines[0]?.reference).toBe('Müller')
  })

  test('two equal payments of one day have different hashes, and each hash is stable', () => {
    const line = '2026-11-02,9.99,coffee\n'
    const head = 'Date,Amount,Text\n'
    const once = read(head + line).lines
    const twice = read(head + line + line).lines
    expect(new Set(twice.map(({ hash }) => hash)).size).toBe(2)
    expect(twice.map(({ hash }) => hash)).toContain(once[0]?.hash)
    const other = read('Text;Amount;Balance;Date\ncoffee;9.99;100.00;02.11.2026\n').lines
    expect(other[0]?.hash).toBe(once[0]?.hash)
  })
})

test('amounts are parsed to the cent in every common format', () => {
  const point: readonly [string, bigint | null][] = [
    ['1,234.56', 123456n],
    ['-1234.5', -123450n],
    ['(1,234.56)', -123456n],
    ['1234.56-', -123456n],
    ['+ $1 234.56', 123456n],
    ['\u2212USD 5.00', -500n],
    ["1'234.56", 123456n],
    ['12,34.56', null],
    ['1.234', null],
    ['', null],
    ['--1', null],
    ['1e5', null],
    ['NaN', null],
  ]
  for (const [text, minor] of point) expect([text, readAmount(text, '.')]).toEqual([text, minor])
  expect(readAmount('1.234,56 €', ',')).toBe(123456n)
  for (const text of ['₹1,234.56', 'R$ 1,234.56', 'CA$1,234.56', '1,234.56 zł', '1,234.56 kr'])
    expect([text, readAmount(text, '.')]).toEqual([text, 123456n])
  // The letters mean a debit, so the sign of the amount is not known.
  expect(readAmount('1,234.56 DR', '.')).toBeNull()
  expect(readAmount('1.234', null)).toBe(123400n)
  expect(readAmount('9007199254740993.00', '.')).toBeNull()
  expect(readAmount('9999999999999.99', '.')).toBe(999999999999999n)
  expect(findDecimalSign(['1,234', '5.50'])).toBe('.')
  expect(findDecimalSign(['1,234'])).toBeNull()
  expect(findDecimalSign(['1,50', '1.50'])).toBe('mixed')
})

test('days are parsed in every common format, and impossible days are refused', () => {
  for (const text of [
    '2026-11-02',
    '20261102',
    '02/11/2026',
    '2.11.26',
    '2 Nov 2026',
    '02-Nov-2026',
  ])
    expect([text, readDay(text, 'day-first')]).toEqual([text, '2026-11-02'])
  expect(readDay('2026-11-02T23:59:00Z', 'day-first')).toBe('2026-11-02')
  for (const text of ['31/11/2026', '2026-13-01', '0000-01-01', 'tomorrow', ''])
    expect([text, readDay(text, 'day-first')]).toEqual([text, null])
  expect(findDayOrder(['03/04/2026', '25/04/2026'])).toBe('day-first')
  expect(findDayOrder(['03/04/2026', '04/25/2026'])).toBe('month-first')
  expect(findDayOrder(['03/04/2026'])).toBe('open')
})

test('column headings of banks are recognised', () => {
  expect(
    guessColumns(['Value Date', 'Transaction Date', 'Paid out', 'Paid in', 'Balance']),
  ).toEqual({
    date: 1,
    debit: 2,
    credit: 3,
    balance: 4,
  })
  expect(guessColumns(['Completed Date', 'Description', 'Amount (USD)', 'Debit'])).toEqual({
    date: 0,
    amount: 2,
    reference: 1,
  })
})

test('a reference is found with and without the separators that a bank inserts', () => {
  expect(splitReference('ref: 7xk2m9qwpt4v0a1c thanks')).toContain('7XK2M9QWPT4V0A1C')
  expect(splitReference('7XK2 M9QW PT4V 0A1C')).toContain('7XK2M9QWPT4V0A1C')
})

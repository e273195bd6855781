import { expect, test } from 'vitest'
import { formatTraceparent, parseTraceparent } from './traceparent.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test.each([true, false])(
  'a traceparent with isSampled %s is read as it was written',
  (isSampled) => {
    const place = { traceId: TRACE, spanId: SPAN, isSampled }
    expect(parseTraceparent(formatTraceparent(place))).toEqual(place)
  },
)

test.each([
  ['nothing', undefined],
  ['a list of headers', [`00-${TRACE}-${SPAN}-01`]],
  ['another version', `01-${TRACE}-${SPAN}-01`],
  ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['more text', `00-${TRACE}-${SPAN}-01-more`],
  ['a line break', `00-${TRACE}-${SPAN}-01\n`],
])('%s is not a traceparent', (_what, text) => {
  expect(parseTraceparent(text)).toBeNull()
})

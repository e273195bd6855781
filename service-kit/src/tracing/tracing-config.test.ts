import { expect, test } from 'vitest'
import { readTracingConfig } from './tracing-config.ts'

const ENDPOINT = 'http://127.0.0.1:4318'

test('without an endpoint there are no traces', () => {
  expect(readTracingConfig({})).toBeNull()
  const others = { OTEL_EXPORTER_OTLP_HEADERS: 'a=b', OTEL_TRACES_SAMPLER_ARG: '1' }
  expect(readTracingConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: '', ...others })).toBeNull()
})

test.each([
  [ENDPOINT, `${ENDPOINT}/v1/traces`],
  [`${ENDPOINT}/`, `${ENDPOINT}/v1/traces`],
  ['https://otel.example/tenant/', 'https://otel.example/tenant/v1/traces'],
])('the path of traces is appended to %s', (endpoint, url) => {
  const read = readTracingConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })
  expect(read).toEqual({ url, headers: {}, ratio: 1 })
})

test('reads headers and the share of traces', () => {
  const read = readTracingConfig({
    OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-tenant=one',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  })
  expect(read?.headers).toEqual({ authorization: 'Bearer abc', 'x-tenant': 'one' })
  expect(read?.ratio).toBe(0.25)
})

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, /^OTEL_EXPORTER_OTLP_ENDPOINT .*not a URL/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel.example' }, /use an https address/],
  [{ OTEL_TRACES_SAMPLER_ARG: '2' }, 'must be a number from 0 to 1, not "2"'],
  [{ OTEL_TRACES_SAMPLER_ARG: '1e-3' }, 'must be a number from 0 to 1, not "1e-3"'],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'hidden' }, /^((?!hidden).)*$/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=hidden%0D%0Ab: c' }, /^((?!hidden).)*$/],
  [{ OTEL_EXPORTER_OTLP_HEADERS: 'a=hidden%' }, /^((?!hidden).)*$/],
])('refuses %j', (given, message) => {
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, ...given }
  expect(() => readTracingConfig(variables)).toThrow(message)
})

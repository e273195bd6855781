import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, readEnvironment, VARIABLES } from './environment.ts'

describe('readEnvironment', () => {
  it('has a default for everything', () => {
    expect(readEnvironment({})).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      publicUrl: 'http://localhost:8080',
      dataDir: join(ROOT, '.data'),
      databaseUrl: null,
      demo: true,
      rateLimitScale: '20',
    })
  })

  it('passes the variables of traces on only if there is a collector', () => {
    const given = { OTEL_EXPORTER_OTLP_HEADERS: 'a=b', OTEL_TRACES_SAMPLER_ARG: '0.5' }
    expect(readEnvironment(given).tracing).toEqual({})
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
    expect(readEnvironment({ ...given, ...endpoint }).tracing).toEqual({ ...given, ...endpoint })
    expect(readEnvironment(endpoint).tracing).toMatchObject({ OTEL_TRACES_SAMPLER_ARG: '1' })
  })

  it('treats an empty variable as not set', () => {
    expect(readEnvironment({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080 })
  })

  it('limits rates as usual without the demo', () => {
    expect(readEnvironment({ DEMO: '0' }).rateLimitScale).toBe('1')
  })

  it('returns a public address that a browser can open', () => {
    const readPublicUrl = (HOST: string) => readEnvironment({ HOST, PORT: '81' }).publicUrl
    expect(readPublicUrl('0.0.0.0')).toBe('http://localhost:81')
    expect(readPublicUrl('::1')).toBe('http://localhost:81')
    expect(readPublicUrl('127.0.0.2')).toBe('http://localhost:81')
    expect(readPublicUrl('192.0.2.7')).toBe('http://192.0.2.7:81')
    expect(readPublicUrl('2001:db8::7')).toBe('http://[2001:db8::7]:81')
  })

  it.each([
    [{ PORT: 'abc' }, 'PORT must be a number from 1 to 65535, not "abc"'],
    [{ PORT: '65536' }, 'PORT must be a number from 1 to 65535, not "65536"'],
    [{ DEMO: 'yes' }, 'DEMO must be a number from 0 to 1'],
    [{ PUBLIC_URL: 'cairn.example' }, 'PUBLIC_URL must be an http or https address'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL must have the form postgres://'],
    [{ PGBACKREST_STANZA: 'main' }, 'PGBACKREST_STANZA is for a server of your own'],
    [{ RATE_LIMIT_SCALE: '0' }, 'RATE_LIMIT_SCALE must be a number above 0'],
    [{ BACKUP_DIR: '/b"; rm -rf /' }, 'BACKUP_DIR must have only letters'],
    [{ BACKUP_DIR: '.data/backups' }, 'BACKUP_DIR must be outside of DATA_DIR'],
    [{ BACKUP_DIR: '/d', DATA_DIR: '/d' }, 'BACKUP_DIR must be outside of DATA_DIR'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel.example' }, 'use an https address'],
    [{ CAIRN_CLOCK_FILE: '/tmp/clock' }, 'only allowed with NODE_ENV=test'],
  ])('refuses %j', (given, message) => {
    expect(() => readEnvironment(given)).toThrow(message)
  })

  it('reads exactly the variables that the README lists', async () => {
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
    const rows = readme.split('\n').filter((line) => line.startsWith('| `'))
    const listed = rows.flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z0-9_]{3,}/g) ?? [])
    expect(listed.sort()).toEqual(Object.keys(VARIABLES).sort())
  })
})

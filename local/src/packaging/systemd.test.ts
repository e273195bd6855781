import { execFile, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ROOT, VARIABLES } from '../environment.ts'
import {
  findPort,
  listCalledUrls,
  listProblems,
  listVariables,
  type PackagedProcess,
  type ProgramName,
} from './programs.ts'
import { createSecrets, writeSecrets } from './secrets.ts'

const run = promisify(execFile)
const FOLDER = join(ROOT, 'ops', 'systemd')
const SANDBOX = join('cairn-.service.d', 'sandbox.conf')
const SECRETS_FOLDER = '/etc/cairn/secrets'
/** A systemd exposure of 0 is best and 100 worst. An unprotected service has 96. */
const EXPOSURE_MAX = 15
/** The commands of pgBackRest run as root, in a template without the limits of the services. */
const TEMPLATE = 'cairn@.service'
const UNITS = readdirSync(FOLDER).filter((name) => /^[^@]+\.(service|target|timer)$/.test(name))
const TIMERS = UNITS.filter((name) => name.endsWith('.timer'))
const SERVICES = UNITS.filter((name) => name.endsWith('.service'))

const isInstalled = spawnSync('systemd-analyze', ['--version']).error === undefined
if (!isInstalled && process.env.CI !== 'true') {
  console.warn('skipped: systemd-analyze is not installed (apt-get install systemd)')
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-systemd-'))
  writeSecrets(
    join(folder, 'secrets'),
    createSecrets({
      databaseUrl: 'postgres://owner:password@127.0.0.1/cairn',
      smtpUrl: 'smtps://user:password@mail.example',
      hasSigningKey: false,
    }),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Settings = readonly (readonly [name: string, value: string])[]

function parseUnit(text: string): Settings {
  return text
    .split('\n')
    .filter((line) => /^[A-Z]\w*=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const)
}

const listValues = (settings: Settings, name: string) =>
  settings.filter(([given]) => given === name).map(([, value]) => value)
const findValue = (settings: Settings, name: string) => listValues(settings, name).at(-1) ?? ''
const readText = (name: string) => readFileSync(join(FOLDER, name), 'utf8')

type Variables = Readonly<Record<string, string>>

function parseVariables(lines: readonly string[]): Variables {
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

/** Returns the settings of all units. Each unit reads those of its program. */
function readSharedSettings(): Variables {
  return parseVariables(
    readText('cairn.env')
      .split('\n')
      .filter((line) => /^\w+=/.test(line)),
  )
}

// The cast is safe because each unit is named after its program.
const findProgram = (unit: string) => unit.replace(/^cairn-|\.service$/g, '') as ProgramName

/** Describes the process of a unit. `%d` is the folder of its secrets, `%S` that of its state. */
function readProcess(unit: string, text = readText(unit)): PackagedProcess {
  const settings = parseUnit(`${text}\n${readText(SANDBOX)}`)
  const program = findProgram(unit)
  const known = listVariables(program)
  const shared = Object.entries(readSharedSettings()).filter(([name]) => known.has(name))
  const own = listValues(settings, 'Environment').flatMap((value) => value.split(' '))
  const env = { ...parseVariables(own), ...Object.fromEntries(shared) }
  const credentials = listValues(settings, 'LoadCredential').map((value) => value.split(':'))
  const files = new Map(
    credentials.map(([id = '', path = '']) => [
      `%d/${id}`,
      path.replace(SECRETS_FOLDER, join(folder, 'secrets')),
    ]),
  )
  if (findValue(settings, 'StateDirectory') === 'cairn-ledger') {
    files.set('%S/cairn-ledger/signing-key.pem', join(folder, 'signing-key.pem'))
  }
  return { name: unit, program, files, env }
}

describe('each unit', () => {
  test('gives its program the environment and the secrets that it needs', () => {
    expect(SERVICES).toHaveLength(5)
    expect(SERVICES.flatMap((unit) => listProblems(readProcess(unit)))).toEqual([])
  })

  test('reads each shared setting in at least one program', () => {
    const names = SERVICES.flatMap((unit) => [...listVariables(findProgram(unit))])
    expect(names).toEqual(expect.arrayContaining(Object.keys(readSharedSettings())))
  })

  test.each([
    ['a misspelled variable', 'SERVICE_TOKEN_FILE', 'TOKEN_FILE', 'does not read TOKEN_FILE'],
    ['a missing secret', 'LoadCredential=FACTOR_KEY:', 'Was=', 'FACTOR_KEY_FILE names %d/FACTOR'],
    ['no key at all', 'SESSION_SECRET_FILE=%d/SESSION_SECRET ', '', 'Set SESSION_SECRET'],
  ])('sabotaged twin: %s is reported', (_what, text, replacement, problem) => {
    const unit = readText('cairn-gateway.service').replace(text, replacement)
    const problems = listProblems(readProcess('cairn-gateway.service', unit))
    expect(problems.join()).toContain(problem)
  })

  test('calls only ports that a unit opens', () => {
    const processes = SERVICES.map((unit) => readProcess(unit))
    const ports = processes.map(findPort)
    const called = processes.flatMap(listCalledUrls)
    expect(called.length).toBeGreaterThan(5)
    for (const url of called) {
      expect(url.hostname).toBe('127.0.0.1')
      expect(ports).toContain(Number(url.port))
    }
  })

  test.each([
    ['cairn-gateway.service', 'api-gateway/src/serve.ts'],
    ['cairn-gateway-worker.service', 'api-gateway/src/work.ts'],
    ['cairn-ledger-worker.service', 'ledger-service/src/work.ts'],
  ])('%s stops no sooner than its program ends by itself', (unit, source) => {
    const program = readFileSync(join(ROOT, source), 'utf8')
    const ownMs = Number(/STOP(?:_AFTER)?_MS = ([\d_]+)/.exec(program)?.[1]?.replaceAll('_', ''))
    const stopMs = 1_000 * Number(findValue(parseUnit(readText(unit)), 'TimeoutStopSec'))
    expect(stopMs).toBeGreaterThanOrEqual(2 * ownMs)
  })
})

test('each timer runs a command that exists, with variables that it reads', () => {
  const commands = TIMERS.map((timer) => {
    const unit = findValue(parseUnit(readText(timer)), 'Unit')
    return /^cairn@(\w+)\.service$/.exec(unit)?.[1] ?? unit
  })
  expect(commands).toEqual(['backup', 'drill'])
  expect(findValue(parseUnit(readText(TEMPLATE)), 'ExecStart')).toMatch(/ local\/src\/%i\.ts$/)
  for (const command of commands) {
    expect(existsSync(join(ROOT, 'local', 'src', `${command}.ts`))).toBe(true)
  }
  const given = parseVariables(listValues(parseUnit(readText(TEMPLATE)), 'Environment'))
  const names = Object.keys(given).map((name) => name.replace(/_FILE$/, ''))
  expect(names.filter((name) => !(name in VARIABLES))).toEqual(['TMPDIR'])
})

describe.skipIf(!isInstalled && process.env.CI !== 'true')('systemd', () => {
  /** Copies the units, with the paths of this checkout; returns the folder of the copy. */
  function copyUnits(change: (text: string, name: string) => string = (text) => text): string {
    const copy = mkdtempSync(join(folder, 'units-'))
    cpSync(FOLDER, copy, { recursive: true })
    for (const name of [...UNITS, SANDBOX, TEMPLATE]) {
      const text = readText(name).replaceAll('/opt/cairn', ROOT)
      writeFileSync(join(copy, name), change(text, name))
    }
    return copy
  }

  async function analyze(copy: string, args: readonly string[]): Promise<string> {
    // The trailing colon adds the folders of the system's own units, such as basic.target.
    const env = { ...process.env, SYSTEMD_UNIT_PATH: `${copy}:`, SYSTEMD_COLORS: '0' }
    const paths = args.map((arg) => (UNITS.includes(arg) ? join(copy, arg) : arg))
    const { stdout, stderr } = await run('systemd-analyze', paths, { env })
    return stdout + stderr
  }

  const verify = (copy: string) => analyze(copy, ['verify', '--man=no', ...UNITS])
  const measure = (copy: string) =>
    analyze(copy, ['security', '--offline=true', `--threshold=${EXPOSURE_MAX}`, ...SERVICES])

  test('accepts each unit', async () => {
    expect(await verify(copyUnits())).toBe('')
  })

  test('sabotaged twin: a misspelled setting and a missing program are reported', async () => {
    const misspelled = copyUnits((text) => text.replace('RestartSec', 'RestartSecs'))
    expect(await verify(misspelled)).toMatch(/Unknown key.*RestartSecs/)
    const missing = copyUnits((text) => text.replaceAll('/.bin/node', '/.bin/no-such-node'))
    await expect(verify(missing)).rejects.toThrow('not executable')
  })

  test('finds little that a unit may do beyond its task', async () => {
    expect(await measure(copyUnits())).toContain('NoNewPrivileges')
  })

  test('sabotaged twin: units without the sandbox are found', async () => {
    const open = copyUnits((text, name) => (name === SANDBOX ? '' : text))
    await expect(measure(open)).rejects.toThrow()
  })
})

describe('the command `cairn`', () => {
  let units = FOLDER
  beforeEach(() => {
    units = FOLDER
  })

  /** Runs the command with a systemd-run that prints its arguments, one a line. */
  async function runCommand(...args: readonly string[]): Promise<readonly string[]> {
    const programs = mkdtempSync(join(folder, 'bin-'))
    writeFileSync(join(programs, 'systemd-run'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', {
      mode: 0o755,
    })
    const env = { PATH: `${programs}:${process.env.PATH}`, CAIRN_UNITS: units }
    const { stdout } = await run(join(FOLDER, 'cairn'), args, { env })
    return stdout.trimEnd().split('\n')
  }

  test('runs a program with the secrets, the state and the limits of its unit', async () => {
    const lines = await runCommand('ledger', 'declare-fork', '--reason', "the disk's loss; $HOME")
    expect(lines).toEqual(
      expect.arrayContaining([
        '--property=User=cairn-ledger',
        '--property=StateDirectory=cairn-ledger',
        '--property=NoNewPrivileges=yes',
        '--property=Environment=LEDGER_CHECKPOINT_DIR=/var/lib/cairn-ledger/checkpoints',
        '--property=LoadCredential=SERVICE_TOKEN:/etc/cairn/secrets/ledger/SERVICE_TOKEN',
      ]),
    )
    expect(lines.slice(-5)).toEqual([
      '/opt/cairn/node_modules/.bin/node',
      'src/cli.ts',
      'declare-fork',
      '--reason',
      "the disk's loss; $HOME",
    ])
    expect(lines.filter((line) => /ExecStart|WantedBy|%/.test(line))).toEqual([])
  })

  test('has the credential of the server for the commands of administrators', async () => {
    const lines = await runCommand('admin', 'create', '--name', 'Ada L')
    expect(lines).toContain(
      '--property=LoadCredential=SERVICE_TOKEN:/etc/cairn/secrets/server/SERVICE_TOKEN',
    )
    expect(lines.join()).not.toContain('gateway/SERVICE_TOKEN')
    expect(lines.slice(-3)).toEqual(['create', '--name', 'Ada L'])
  })

  test('has what `systemctl edit` added to the unit', async () => {
    units = mkdtempSync(join(folder, 'edited-'))
    cpSync(FOLDER, units, { recursive: true })
    mkdirSync(join(units, 'cairn-ledger.service.d'))
    const dropIn = '# The database.\n[Service]\nIPAddressAllow=192.0.2.1'
    writeFileSync(join(units, 'cairn-ledger.service.d', 'override.conf'), dropIn)
    expect(await runCommand('ledger', 'verify')).toContain('--property=IPAddressAllow=192.0.2.1')
    expect((await runCommand('admin', 'create')).join()).not.toContain('192.0.2.1')
  })

  test('explains itself without a program', async () => {
    await expect(runCommand('rotate')).rejects.toThrow('Usage: cairn ledger COMMAND')
  })
})

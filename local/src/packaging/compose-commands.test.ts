import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { ROOT } from '../environment.ts'

const Compose = z.object({ services: z.record(z.string(), z.unknown()) })
const readText = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8')

/** The programs behind the services for commands, with the text that lists their commands. */
const USAGES: Readonly<Record<string, string>> = {
  ledger: readText('ledger-service', 'src', 'cli.ts'),
  admin: readText('api-gateway', 'src', 'admin.ts'),
}
/** Options of `docker compose` commands that a value follows. */
const OPTIONS_WITH_VALUE = ['-v', '-e', '--tail', '--format']
const COMMAND =
  /docker compose(?: -f (\S+))? (run|exec|stop|start|restart|up|logs|cp) ([^`|&;<>\n]+)/g

function listServices(file: string): readonly string[] {
  return Object.keys(Compose.parse(parse(readText(file), { merge: true })).services)
}

/** Returns the words of a command without its options and the explanation behind it. */
function listOperands(words: string): readonly string[] {
  const [own = ''] = words.split(/ {3,}|#/)
  const all = own.trim().split(/ +/)
  const first = all.findIndex(
    (word, place) => !word.startsWith('-') && !OPTIONS_WITH_VALUE.includes(all[place - 1] ?? ''),
  )
  return first === -1 ? [] : all.slice(first)
}

/** Capitals and shell variables stand for a name that the reader chooses. */
const isPlaceholder = (word: string) => /^([A-Z]+|\$\w+)$/.test(word)

/** Lists the services that a command names. */
function listNamed(subcommand: string, operands: readonly string[]): readonly string[] {
  if (subcommand === 'run' || subcommand === 'exec') return operands.slice(0, 1)
  if (subcommand !== 'cp') return operands
  return operands.filter((word) => word.includes(':')).map((word) => word.replace(/:.*/, ''))
}

/** Quoted values can contain the characters that end a command. */
const hideQuoted = (text: string) => text.replaceAll(/'[^'\n]*'/g, 'QUOTED')

/** Lists the services and the commands in a text that do not exist. */
function listUnknown(text: string): readonly string[] {
  return [...hideQuoted(text).matchAll(COMMAND)].flatMap(
    ([command, file, subcommand = '', words = '']) => {
      const services = listServices(file ?? 'docker-compose.yml')
      const operands = listOperands(words)
      const named = listNamed(subcommand, operands).filter((word) => !isPlaceholder(word))
      const unknown = named.filter((word) => !services.includes(word))
      const [service = '', wanted = ''] = operands
      const usage = subcommand === 'run' ? USAGES[service] : undefined
      if (usage !== undefined && !isPlaceholder(wanted) && !usage.includes(`\n  ${wanted} `)) {
        return [`${command}: ${service} has no command ${wanted}`]
      }
      return unknown.map((word) => `${command}: there is no service ${word}`)
    },
  )
}

const pages = [
  ['README.md'],
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => ['docs', name]),
]

test('each docker compose command of the documentation names services and commands that exist', () => {
  const texts = pages.map((page) => readText(...page))
  expect(texts.flatMap((text) => [...text.matchAll(COMMAND)]).length).toBeGreaterThan(30)
  expect(texts.flatMap(listUnknown)).toEqual([])
})

test.each([
  ['docker compose stop ledger', []],
  ["docker compose run --rm -e URL='postgres://a?b&c' ledger rebuilt", ['rebuilt']],
  ['docker compose stop ledger-services', ['ledger-services']],
  ['docker compose -f ops/compose.ha.yml run --rm -v A:B gateway node x', ['gateway']],
  ['docker compose cp -a FILE ledgers:/var/lib/cairn/', ['ledgers']],
  ['docker compose run --rm ledger verify --since 1', []],
  ['docker compose run --rm ledger verified', ['verified']],
  ['docker compose run --rm admin suspended --email you@example.com', ['suspended']],
])('sabotaged twin: the wrong names of `%s` are reported', (text, wrong) => {
  const found = listUnknown(text).map((problem) => problem.replace(/.* /, ''))
  expect(found).toEqual(wrong)
})

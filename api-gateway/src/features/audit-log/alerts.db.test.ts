import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'
import { registerGauge, registerLabelledGauge } from '../../platform/metrics/metrics.ts'
import { createVerificationGauges } from '../explorer/nightly-verification.ts'
import { createBackupGauges } from '../jobs/backup-runs.ts'
import { createCopyAgeGauge } from '../ledgers/copy-age.ts'
import { SECURITY_KINDS } from './security-event.ts'
import { createSecurityStream } from './security-stream.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const FILE = join(ROOT, 'ops', 'monitoring', 'alerts.yml')

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string }
}

let gateway: TestGateway
let rules: readonly Rule[]
beforeAll(async () => {
  gateway = await startTestGateway()
  const { groups } = parse(await readFile(FILE, 'utf8')) as { groups: { rules: Rule[] }[] }
  rules = groups.flatMap((group) => group.rules)
})
afterAll(() => gateway.stop())

/** Returns each metric that the expression uses but the text `metrics` does not declare. */
function findUnknownMetrics(expr: string, metrics: string): readonly string[] {
  const used = expr.match(/\bcairn_\w+/g) ?? []
  return used.filter((name) => !metrics.includes(`# TYPE ${name} `))
}

describe('the alert rules', () => {
  test('use metrics and kinds that exist', async () => {
    createSecurityStream(pino({ level: 'silent' }))
    createVerificationGauges(gateway.deps.ledgers, Date.now).forEach(registerLabelledGauge)
    createBackupGauges('/missing', Date.now).forEach(registerGauge)
    registerLabelledGauge(createCopyAgeGauge(gateway.deps))
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    const own = rules.filter(({ expr }) =>
      /cairn_(security|audit|verification|rule_copy|backup|drill)/.test(expr),
    )
    expect(own.length).toBeGreaterThan(10)
    for (const { alert, expr, labels, annotations } of own) {
      expect({ alert, unknown: findUnknownMetrics(expr, metrics) }).toEqual({ alert, unknown: [] })
      const kinds = (expr.match(/kind=~?"([^"]+)"/)?.[1] ?? '').split('|').filter(Boolean)
      expect(SECURITY_KINDS).toEqual(expect.arrayContaining(kinds))
      for (const kind of kinds) {
        expect(metrics).toContain(`cairn_security_events_total{kind="${kind}"}`)
      }
      expect(labels.severity).toMatch(/^(info|warning|critical)$/)
      expect(annotations.summary).not.toBe('')
    }
  })

  test('each have a section in the runbook, and the runbook has no other section', async () => {
    const runbook = await readFile(join(ROOT, 'docs', 'alerts.md'), 'utf8')
    const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
    expect(sections).toEqual(rules.map(({ alert }) => alert))
  })

  test('sabotaged twin: a rule with a misspelt metric is found', async () => {
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    expect(findUnknownMetrics('sum(increase(cairn_security_event_total[5m]))', metrics)).toEqual([
      'cairn_security_event_total',
    ])
  })
})
